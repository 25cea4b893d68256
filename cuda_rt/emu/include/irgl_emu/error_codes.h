// Error codes of the CUDA runtime, with CUDA's numbers and texts: IRGL_EMU_ERROR(name, code, text) for each.
IRGL_EMU_ERROR(cudaSuccess, 0, "no error")
IRGL_EMU_ERROR(cudaErrorInvalidValue, 1, "invalid argument")
IRGL_EMU_ERROR(cudaErrorMemoryAllocation, 2, "out of memory")
IRGL_EMU_ERROR(cudaErrorInitializationError, 3, "initialization error")
IRGL_EMU_ERROR(cudaErrorCudartUnloading, 4, "driver shutting down")
IRGL_EMU_ERROR(cudaErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool")
IRGL_EMU_ERROR(cudaErrorProfilerNotInitialized, 6, "profiler not initialized: call cudaProfilerInitialize()")
IRGL_EMU_ERROR(cudaErrorProfilerAlreadyStarted, 7, "profiler already started")
IRGL_EMU_ERROR(cudaErrorProfilerAlreadyStopped, 8, "profiler already stopped")
IRGL_EMU_ERROR(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")
IRGL_EMU_ERROR(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")
IRGL_EMU_ERROR(cudaErrorInvalidSymbol, 13, "invalid device symbol")
IRGL_EMU_ERROR(cudaErrorInvalidHostPointer, 16, "invalid host pointer")
IRGL_EMU_ERROR(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")
IRGL_EMU_ERROR(cudaErrorInvalidTexture, 18, "invalid texture reference")
IRGL_EMU_ERROR(cudaErrorInvalidTextureBinding, 19, "texture is not bound to a pointer")
IRGL_EMU_ERROR(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")
IRGL_EMU_ERROR(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")
IRGL_EMU_ERROR(cudaErrorAddressOfConstant, 22, "invalid address of constant")
IRGL_EMU_ERROR(cudaErrorTextureFetchFailed, 23, "fetch from texture failed")
IRGL_EMU_ERROR(cudaErrorTextureNotBound, 24, "cannot fetch from a texture that is not bound")
IRGL_EMU_ERROR(cudaErrorSynchronizationError, 25, "incorrect use of __syncthreads()")
IRGL_EMU_ERROR(cudaErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type")
IRGL_EMU_ERROR(cudaErrorInvalidNormSetting, 27, "read as normalized float not supported for data type")
IRGL_EMU_ERROR(cudaErrorMixedDeviceExecution, 28, "device emulation mode and device execution mode cannot be mixed")
IRGL_EMU_ERROR(cudaErrorNotYetImplemented, 31, "feature not yet implemented")
IRGL_EMU_ERROR(cudaErrorMemoryValueTooLarge, 32, "memory size or pointer value too large to fit in 32 bit")
IRGL_EMU_ERROR(cudaErrorStubLibrary, 34, "CUDA driver is a stub library")
IRGL_EMU_ERROR(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version")
IRGL_EMU_ERROR(cudaErrorCallRequiresNewerDriver, 36, "API call is not supported in the installed CUDA driver")
IRGL_EMU_ERROR(cudaErrorInvalidSurface, 37, "invalid surface reference")
IRGL_EMU_ERROR(cudaErrorDuplicateVariableName, 43, "duplicate global variable looked up by string name")
IRGL_EMU_ERROR(cudaErrorDuplicateTextureName, 44, "duplicate texture looked up by string name")
IRGL_EMU_ERROR(cudaErrorDuplicateSurfaceName, 45, "duplicate surface looked up by string name")
IRGL_EMU_ERROR(cudaErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable")
IRGL_EMU_ERROR(cudaErrorIncompatibleDriverContext, 49, "incompatible driver context")
IRGL_EMU_ERROR(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured")
IRGL_EMU_ERROR(cudaErrorPriorLaunchFailure, 53, "unspecified launch failure in prior launch")
IRGL_EMU_ERROR(cudaErrorLaunchMaxDepthExceeded, 65, "launch would exceed maximum depth of nested launches")
IRGL_EMU_ERROR(cudaErrorLaunchFileScopedTex, 66,
               "launch failed because kernel uses unsupported, file-scoped textures (texture objects are "
               "supported)")
IRGL_EMU_ERROR(cudaErrorLaunchFileScopedSurf, 67,
               "launch failed because kernel uses unsupported, file-scoped surfaces (surface objects are "
               "supported)")
IRGL_EMU_ERROR(cudaErrorSyncDepthExceeded, 68,
               "cudaDeviceSynchronize failed because caller's grid depth exceeds "
               "cudaLimitDevRuntimeSyncDepth")
IRGL_EMU_ERROR(cudaErrorLaunchPendingCountExceeded, 69,
               "launch failed because launch would exceed "
               "cudaLimitDevRuntimePendingLaunchCount")
IRGL_EMU_ERROR(cudaErrorInvalidDeviceFunction, 98, "invalid device function")
IRGL_EMU_ERROR(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")
IRGL_EMU_ERROR(cudaErrorInvalidDevice, 101, "invalid device ordinal")
IRGL_EMU_ERROR(cudaErrorDeviceNotLicensed, 102, "device doesn't have valid Grid license")
IRGL_EMU_ERROR(cudaErrorSoftwareValidityNotEstablished, 103, "integrity checks failed")
IRGL_EMU_ERROR(cudaErrorStartupFailure, 127, "startup failure in cuda runtime")
IRGL_EMU_ERROR(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")
IRGL_EMU_ERROR(cudaErrorDeviceUninitialized, 201, "invalid device context")
IRGL_EMU_ERROR(cudaErrorMapBufferObjectFailed, 205, "mapping of buffer object failed")
IRGL_EMU_ERROR(cudaErrorUnmapBufferObjectFailed, 206, "unmapping of buffer object failed")
IRGL_EMU_ERROR(cudaErrorArrayIsMapped, 207, "array is mapped")
IRGL_EMU_ERROR(cudaErrorAlreadyMapped, 208, "resource already mapped")
IRGL_EMU_ERROR(cudaErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the device")
IRGL_EMU_ERROR(cudaErrorAlreadyAcquired, 210, "resource already acquired")
IRGL_EMU_ERROR(cudaErrorNotMapped, 211, "resource not mapped")
IRGL_EMU_ERROR(cudaErrorNotMappedAsArray, 212, "resource not mapped as array")
IRGL_EMU_ERROR(cudaErrorNotMappedAsPointer, 213, "resource not mapped as pointer")
IRGL_EMU_ERROR(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")
IRGL_EMU_ERROR(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture")
IRGL_EMU_ERROR(cudaErrorDeviceAlreadyInUse, 216, "exclusive-thread device already in use by a different thread")
IRGL_EMU_ERROR(cudaErrorPeerAccessUnsupported, 217, "peer access is not supported between these two devices")
IRGL_EMU_ERROR(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed")
IRGL_EMU_ERROR(cudaErrorInvalidGraphicsContext, 219, "invalid OpenGL or DirectX context")
IRGL_EMU_ERROR(cudaErrorNvlinkUncorrectable, 220, "uncorrectable NVLink error detected during the execution")
IRGL_EMU_ERROR(cudaErrorJitCompilerNotFound, 221, "PTX JIT compiler library not found")
IRGL_EMU_ERROR(cudaErrorUnsupportedPtxVersion, 222, "the provided PTX was compiled with an unsupported toolchain.")
IRGL_EMU_ERROR(cudaErrorJitCompilationDisabled, 223, "PTX JIT compilation was disabled")
IRGL_EMU_ERROR(cudaErrorUnsupportedExecAffinity, 224, "the provided execution affinity is not supported")
IRGL_EMU_ERROR(cudaErrorUnsupportedDevSideSync, 225,
               "the provided PTX contains unsupported call to "
               "cudaDeviceSynchronize")
IRGL_EMU_ERROR(cudaErrorContained, 226, "Invalid access of peer GPU memory over nvlink or a hardware error")
IRGL_EMU_ERROR(cudaErrorInvalidSource, 300, "device kernel image is invalid")
IRGL_EMU_ERROR(cudaErrorFileNotFound, 301, "file not found")
IRGL_EMU_ERROR(cudaErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found")
IRGL_EMU_ERROR(cudaErrorSharedObjectInitFailed, 303, "shared object initialization failed")
IRGL_EMU_ERROR(cudaErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS")
IRGL_EMU_ERROR(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")
IRGL_EMU_ERROR(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state")
IRGL_EMU_ERROR(cudaErrorLossyQuery, 402, "attempted introspection would be semantically lossy")
IRGL_EMU_ERROR(cudaErrorSymbolNotFound, 500, "named symbol not found")
IRGL_EMU_ERROR(cudaErrorNotReady, 600, "device not ready")
IRGL_EMU_ERROR(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")
IRGL_EMU_ERROR(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")
IRGL_EMU_ERROR(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")
IRGL_EMU_ERROR(cudaErrorLaunchIncompatibleTexturing, 703, "launch uses incompatible texturing mode")
IRGL_EMU_ERROR(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")
IRGL_EMU_ERROR(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")
IRGL_EMU_ERROR(cudaErrorSetOnActiveProcess, 708, "cannot set while device is active in this process")
IRGL_EMU_ERROR(cudaErrorContextIsDestroyed, 709, "context is destroyed")
IRGL_EMU_ERROR(cudaErrorAssert, 710, "device-side assert triggered")
IRGL_EMU_ERROR(cudaErrorTooManyPeers, 711, "peer mapping resources exhausted")
IRGL_EMU_ERROR(cudaErrorHostMemoryAlreadyRegistered, 712, "part or all of the requested memory range is already mapped")
IRGL_EMU_ERROR(cudaErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region")
IRGL_EMU_ERROR(cudaErrorHardwareStackError, 714, "hardware stack error")
IRGL_EMU_ERROR(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")
IRGL_EMU_ERROR(cudaErrorMisalignedAddress, 716, "misaligned address")
IRGL_EMU_ERROR(cudaErrorInvalidAddressSpace, 717, "operation not supported on global/shared address space")
IRGL_EMU_ERROR(cudaErrorInvalidPc, 718, "invalid program counter")
IRGL_EMU_ERROR(cudaErrorLaunchFailure, 719, "unspecified launch failure")
IRGL_EMU_ERROR(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")
IRGL_EMU_ERROR(cudaErrorTensorMemoryLeak, 721, "tensor memory not completely freed")
IRGL_EMU_ERROR(cudaErrorNotPermitted, 800, "operation not permitted")
IRGL_EMU_ERROR(cudaErrorNotSupported, 801, "operation not supported")
IRGL_EMU_ERROR(cudaErrorSystemNotReady, 802, "system not yet initialized")
IRGL_EMU_ERROR(cudaErrorSystemDriverMismatch, 803, "system has unsupported display driver / cuda driver combination")
IRGL_EMU_ERROR(cudaErrorCompatNotSupportedOnDevice, 804, "forward compatibility was attempted on non supported HW")
IRGL_EMU_ERROR(cudaErrorMpsConnectionFailed, 805,
               "MPS client failed to connect to the MPS control daemon or the MPS "
               "server")
IRGL_EMU_ERROR(cudaErrorMpsRpcFailure, 806,
               "the remote procedural call between the MPS server and the MPS client "
               "failed")
IRGL_EMU_ERROR(cudaErrorMpsServerNotReady, 807, "MPS server is not ready to accept new MPS client requests")
IRGL_EMU_ERROR(cudaErrorMpsMaxClientsReached, 808,
               "the hardware resources required to create MPS client have been "
               "exhausted")
IRGL_EMU_ERROR(cudaErrorMpsMaxConnectionsReached, 809,
               "the hardware resources required to support device connections have been "
               "exhausted")
IRGL_EMU_ERROR(cudaErrorMpsClientTerminated, 810, "the MPS client has been terminated by the server")
IRGL_EMU_ERROR(cudaErrorCdpNotSupported, 811,
               "is using CUDA Dynamic Parallelism, but the current configuration, like MPS, does not support "
               "it")
IRGL_EMU_ERROR(cudaErrorCdpVersionMismatch, 812,
               "unsupported interaction between different versions of CUDA Dynamic "
               "Parallelism")
IRGL_EMU_ERROR(cudaErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing")
IRGL_EMU_ERROR(cudaErrorStreamCaptureInvalidated, 901, "operation failed due to a previous error during capture")
IRGL_EMU_ERROR(cudaErrorStreamCaptureMerge, 902, "operation would result in a merge of separate capture sequences")
IRGL_EMU_ERROR(cudaErrorStreamCaptureUnmatched, 903, "capture was not ended in the same stream as it began")
IRGL_EMU_ERROR(cudaErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work")
IRGL_EMU_ERROR(cudaErrorStreamCaptureIsolation, 905, "dependency created on uncaptured work in another stream")
IRGL_EMU_ERROR(cudaErrorStreamCaptureImplicit, 906,
               "operation would make the legacy stream depend on a capturing blocking "
               "stream")
IRGL_EMU_ERROR(cudaErrorCapturedEvent, 907, "operation not permitted on an event last recorded in a capturing stream")
IRGL_EMU_ERROR(cudaErrorStreamCaptureWrongThread, 908,
               "attempt to terminate a thread-local capture sequence from another "
               "thread")
IRGL_EMU_ERROR(cudaErrorTimeout, 909, "wait operation timed out")
IRGL_EMU_ERROR(cudaErrorGraphExecUpdateFailure, 910,
               "the graph update was not performed because it included changes which violated constraints specific to "
               "instantiated graph update")
IRGL_EMU_ERROR(cudaErrorExternalDevice, 911, "an async error has occured in external entity outside of CUDA")
IRGL_EMU_ERROR(cudaErrorInvalidClusterSize, 912, "a kernel launch error has occurred due to cluster misconfiguration")
IRGL_EMU_ERROR(cudaErrorFunctionNotLoaded, 913,
               "the function handle is not loaded when calling an API that requires a loaded "
               "function")
IRGL_EMU_ERROR(cudaErrorInvalidResourceType, 914,
               "one or more resources passed in are not valid resource types for the "
               "operation")
IRGL_EMU_ERROR(cudaErrorInvalidResourceConfiguration, 915,
               "one or more resources are insufficient or non-applicable for the "
               "operation")
IRGL_EMU_ERROR(cudaErrorUnknown, 999, "unknown error")
IRGL_EMU_ERROR(cudaErrorApiFailureBase, 10000, "api failure base")
