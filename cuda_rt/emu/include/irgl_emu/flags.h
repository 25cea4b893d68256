// Flags of the host API's calls.
#pragma once

#define cudaStreamDefault 0u
#define cudaStreamNonBlocking 1u
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)
#define cudaEventDefault 0u
#define cudaEventBlockingSync 1u
#define cudaEventDisableTiming 2u
#define cudaEventInterprocess 4u
#define cudaEventRecordDefault 0u
#define cudaEventWaitDefault 0u
#define cudaHostAllocDefault 0u
#define cudaHostAllocPortable 1u
#define cudaHostAllocMapped 2u
#define cudaHostAllocWriteCombined 4u
#define cudaHostRegisterDefault 0u
#define cudaHostRegisterPortable 1u
#define cudaHostRegisterMapped 2u
#define cudaHostRegisterReadOnly 8u
#define cudaMemAttachGlobal 1u
#define cudaMemAttachHost 2u
#define cudaMemAttachSingle 4u
#define cudaCpuDeviceId (-1)
#define cudaInvalidDeviceId (-2)
#define cudaDeviceScheduleAuto 0u
#define cudaDeviceScheduleSpin 1u
#define cudaDeviceScheduleYield 2u
#define cudaDeviceScheduleBlockingSync 4u
#define cudaDeviceBlockingSync 4u
#define cudaDeviceScheduleMask 7u
#define cudaDeviceMapHost 8u
#define cudaDeviceLmemResizeToMax 16u
#define cudaOccupancyDefault 0u
#define cudaOccupancyDisableCachingOverride 1u
