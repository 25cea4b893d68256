"""Plans that others have found best, with which a search begins on GPUs.

They are those of table A.1 of A. R. Brahmakshatriya, Universal Graph Framework: Achieving High-Performance across
Algorithms, Graph Types, and Architectures, MIT 2020, in words of plans: ETWC is `np=cut`, EDGE_ONLY `format=coo`,
BLOCKED `segments=auto`, VERTEX_BASED one thread a node, as pulling loops that leave their edges are run anyway, BOOLMAP
`bytemap`, kernel fusion `outline=all`, which is the default.
"""

from __future__ import annotations

from irgl.plan import Plan
from irgl.tune.search.space import Space

#: Of power-law graphs: BFS and BC, SSSP, CC; of all graphs: PR; of roads: all but PR.
_ON_GPUS = ("np=cut direction=hybrid", "np=cut frontier=bytemap", "np=cut frontier=bitmap",
            "direction=pull format=coo segments=auto", "np=cut stage=1")


def published(space: Space) -> list[Plan]:
    """What these come to in a space: each says there what it can, and those that say nothing new are left out."""
    if space.target not in ("cuda", "simt"):
        return []
    plans = dict.fromkeys(space.nearest(Plan.parse(text, space.target)) for text in _ON_GPUS)
    return [plan for plan in plans if plan not in (space.default, space.none)]
