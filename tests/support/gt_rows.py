"""The rows of the table of docs/graphit_schedules.md: calls of schedules, and the words of plans that come of them."""

from __future__ import annotations

S1 = "relax.s1"


def on_program(*calls: str) -> str:
    return f"program->{'->'.join(calls)};"


def way(direction: str) -> str:
    return f'configApplyDirection("s0:s1", "{direction}")'


def on_object(*calls: str, label: str = "s0:s1") -> str:
    return f'SimpleGPUSchedule g; {"".join(f"g.{c};" for c in calls)} program->applyGPUSchedule("{label}", g);'


def hybrid(threshold: str, *calls: str) -> str:
    """s1 pushes and s2 pulls."""
    return ('SimpleGPUSchedule s1; s1.configDirection(PUSH); SimpleGPUSchedule s2; s2.configDirection(PULL, BITMAP);'
            f'{"".join(f"{c};" for c in calls)} HybridGPUSchedule h(INPUT_VERTEXSET_SIZE, {threshold}, s1, s2);'
            'program->applyGPUSchedule("s0:s1", h);')


SPLIT = f"{S1}.direction=hybrid {S1}.switch=edges:0.05"
ON_CPUS = [
    (way("SparsePush"), f"{S1}.direction=written {S1}.frontier=list"),
    (way("DensePush"), f"{S1}.direction=written {S1}.frontier=bytemap"),
    (way("SparsePush-DensePush"), f"{S1}.direction=written {S1}.frontier=either"),
    (way("DensePush-SparsePush"), f"{S1}.direction=written {S1}.frontier=either"),
    (way("DensePull"), f"{S1}.direction=pull"),
    (way("SparsePush-DensePull"), SPLIT),
    (way("DensePull-SparsePush"), SPLIT),
    ('configApplyDirection("s3", "SparsePush")', "sum.s3.direction=written"),
    ('configApplyDirection("s3", "SparsePush-DensePush")', "sum.s3.direction=written"),
    ('configApplyParallelization("s0:s1", "serial")', f"{S1}.threads=1"),
    ('configApplyParallelization("s0:s1", "static-vertex-parallel")', f"{S1}.share=even"),
    ('configApplyParallelization("s0:s1", "dynamic-vertex-parallel")', f"{S1}.share=nodes"),
    ('configApplyParallelization("s0:s1", "dynamic-vertex-parallel", 64)', f"{S1}.grain=64 {S1}.share=nodes"),
    ('configApplyParallelization("s0:s1", "edge-aware-dynamic-vertex-parallel", 8)', f"{S1}.grain=8 {S1}.share=edges"),
    ('configApplyParallelization("s0:s2", "dynamic-vertex-parallel")', "reset.s2.share=edges"),
    ('configApplyPriorityUpdate("q1", "eager_priority_update")', "fuse=1 move.q1.priority=eager"),
    ('configApplyPriorityUpdate("q1", "eager_priority_update_with_merge")', "move.q1.priority=eager"),
    ('configApplyPriorityUpdate("q1", "lazy_priority_update")', "move.q1.priority=lazy"),
    ('configApplyPriorityUpdate("q1", "constant_sum_reduce_before_update")', "move.q1.priority=lazy_sum"),
    ('configBucketMergeThreshold("q1", 1000)', "fuse=1000"),
    ('configNumOpenBuckets("q1", 16)', "buckets=16"),
    ('configApplyDeduplication("s0:s1", "enable")', "dedup=flags"),
    ('configApplyDeduplication("s0:s1", "disable")', "dedup=off"),
    ('configApplyNumSSG("s0:s1", "fixed-vertex-count", 5)', f"{S1}.loop1.format=coo {S1}.loop1.segments=5"),
    ('configApplyNumSegments("s3", 5)', "sum.s3.loop1.format=coo sum.s3.loop1.segments=5"),
    ('fuseFields("old_rank", "out_degree")', "pack=old_rank+out_degree"),
    ('fuseFields({"old_rank", "out_degree", "rank"})', "pack=old_rank+out_degree+rank_"),
    ('setApply("s0:s1", "push")', f"{S1}.direction=written {S1}.frontier=list"),
    ('setApply("s0:s1", "pull")', f"{S1}.direction=pull"),
    ('setApply("s0:s1", "hybrid_dense")', f"{S1}.direction=hybrid"),
    ('setApply("s0:s1", "hybrid_dense_forward")', f"{S1}.direction=written {S1}.frontier=either"),
    ('setApply("s0:s1", "parallel")', f"{S1}.share=nodes"),
    ('setApply("s0:s1", "serial")', f"{S1}.threads=1"),
    ('setApply("s0:s1", "sliding_queue")', f"{S1}.frontier=queue"),
    ('setApply("s0:s1", "pull_edge_based_load_balance", 4)', f"{S1}.grain=4 {S1}.share=edges"),
    ('setApply("s0:s1", "num_segment", 3)', f"{S1}.loop1.format=coo {S1}.loop1.segments=3"),
    ('setApply("s0:s1", "grain_size", 3)', f"{S1}.grain=3"),
    ('setApply("s0:s1", "disable_deduplication")', "dedup=off"),
    ('setApply("q1", "lazy_priority_update")', "move.q1.priority=lazy"),
    ('setApply("q1", "bucket_merge_threshold", 7)', "fuse=7"),
    ('setApply("q1", "num_open_buckets", 32)', "buckets=32"),
]
IN_CHAINS = [
    ((way("DensePull"), 'configApplyDenseVertexSet("s0:s1", "bitvector", "src-vertexset", "DensePull")'),
     f"{S1}.direction=pull {S1}.member=bitmap"),
    ((way("DensePull"), 'configApplyDenseVertexSet("s0:s1", "boolean-array")'),
     f"{S1}.direction=pull {S1}.member=bytemap"),
    ((way("DensePush"), 'configApplyDenseVertexSet("s0:s1", "bitvector")'),
     f"{S1}.direction=written {S1}.frontier=bitmap"),
    ((way("DensePull"), 'setApply("s0:s1", "pull_frontier_bitvector")'), f"{S1}.direction=pull {S1}.member=bitmap"),
    ((way("SparsePush-DensePull"), 'configApplyParallelization("s0:s1", "dynamic-vertex-parallel")'),
     f"{S1}.share=nodes {SPLIT} {S1}_pull.share=nodes"),
    ((way("SparsePush-DensePull"), 'configApplyParallelization("s0:s1", "serial", 1024, "SparsePush")'),
     f"{S1}.threads=1 {SPLIT}"),
    ((way("SparsePush-DensePull"), 'configApplyNumSSG("s0:s1", "fixed-vertex-count", 4, "DensePull")'),
     f"{SPLIT} {S1}_pull.loop1.format=coo {S1}_pull.loop1.segments=4"),
    ((way("SparsePush-DensePull"), 'configApplyNumSSG("s0:s1", "fixed-vertex-count", 4)'),
     f"{SPLIT} {S1}_pull.loop1.format=coo {S1}_pull.loop1.segments=4"),
    ((way("SparsePush-DensePush"), 'configApplyParallelization("s0:s1", "static-vertex-parallel", 1, "DensePush")'),
     f"{S1}.direction=written {S1}.frontier=either {S1}_dense.share=even"),
]

PUSHED = f"{S1}.direction=written {S1}.frontier=list"
ON_GPUS = [
    (on_object("configDirection(PUSH)"), PUSHED),
    (on_object("configDirection(PULL)"), f"{S1}.direction=pull"),
    (on_object("configDirection(PULL, BITMAP)"), f"{S1}.direction=pull {S1}.member=bitmap"),
    (on_object("configDirection(PULL, BOOLMAP)"), f"{S1}.direction=pull {S1}.member=bytemap"),
    (on_object("configFrontierCreation(FUSED)"), f"{S1}.collect=push"),
    (on_object("configFrontierCreation(UNFUSED_BITMAP)"), f"{S1}.collect=bitmap"),
    (on_object("configFrontierCreation(UNFUSED_BOOLMAP)"), f"{S1}.collect=bytemap"),
    (on_object("configDeduplication(DISABLED)"), "dedup=off"),
    (on_object("configDeduplication(ENABLED)"), "dedup=flags"),
    (on_object("configDeduplication(ENABLED, UNFUSED)"), "dedup=flags"),
    (on_object("configDeduplication(ENABLED, FUSED)"), "dedup=rounds"),
    (on_object("configLoadBalance(VERTEX_BASED)"), f"{S1}.loop1.np=serial"),
    (on_object("configLoadBalance(CM)"), f"{S1}.loop1.np=fg"),
    (on_object("configLoadBalance(TWC)"), f"{S1}.loop1.np=bins"),
    (on_object("configLoadBalance(TWCE)"), f"{S1}.loop1.np=cut"),
    (on_object("configLoadBalance(ETWC)"), f"{S1}.loop1.np=cut"),
    (on_object("configLoadBalance(WM)"), f"{S1}.loop1.np=wf"),
    (on_object("configLoadBalance(STRICT)"), f"{S1}.loop1.np=even"),
    (on_object("configLoadBalance(EDGE_ONLY)"), f"{S1}.frontier=bytemap {S1}.loop1.format=coo"),
    (on_object("configLoadBalance(EDGE_ONLY)", label="s3"), "sum.s3.loop1.format=coo"),
    (on_object("configLoadBalance(EDGE_ONLY, BLOCKED, 0x42000)", label="s3"),
     "sum.s3.loop1.format=coo sum.s3.loop1.segments=270336n"),
    (on_object("configKernelFusion(ENABLED)", label="s0"), "main.s0.outline=all"),
    (on_object("configKernelFusion(DISABLED)", label="s0"), "main.s0.outline=off"),
    (hybrid("0.03"), f"{S1}.direction=hybrid {S1}.switch=nodes:0.03 {S1}.member=bitmap"),
    (hybrid('"argv[3]"'), f"{S1}.direction=hybrid {S1}.switch=nodes:argv3 {S1}.member=bitmap"),
    (hybrid("0.1", "s1.configLoadBalance(TWCE)", "s2.configLoadBalance(VERTEX_BASED)",
            "s2.configFrontierCreation(UNFUSED_BITMAP)"),
     f"{S1}.direction=hybrid {S1}.switch=nodes:0.1 {S1}.member=bitmap {S1}.loop1.np=cut {S1}_pull.collect=bitmap "
     f"{S1}_pull.loop1.np=serial"),
]
