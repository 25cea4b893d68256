"""Generated units in one C++ text (codegen/cxx/joined.py): what is the same stands once, what differs stays apart."""

from __future__ import annotations

from irgl.codegen.cxx.joined import joined


def unit(value: int, include: str = "unit") -> str:
    """A unit in which `twice` uses `number`, and `other` neither."""
    return f"""// Plan: {value}
#define IRGL_BLOCK 32
#include "cuda_rt/{include}.cuh"

namespace unit {{

static int number() {{
  return {value};
}}

static int twice() {{
  return 2 * number();
}}

static int other() {{
  return 7;
}}

}}  // namespace unit

extern "C" int irgl_run(irgl_run_args* args) {{
  using namespace unit;
  return twice() + other();
}}
"""


def test_equal_units_share_all_definitions() -> None:
    text = joined([unit(1), unit(1)])
    assert [text.count(f"static int {name}()") for name in ("number", "twice", "other")] == [1, 1, 1]


def test_a_definition_whose_use_differs_is_another_one() -> None:
    text = joined([unit(1), unit(2)])
    assert [text.count(f"static int {name}()") for name in ("number", "twice", "other")] == [2, 2, 1]


def test_each_unit_has_an_entry_that_the_variable_chooses() -> None:
    text = joined([unit(1), unit(2)])
    assert [text.count(f"int irgl_run_{i}(") for i in range(3)] == [1, 1, 0]
    assert "case 0: return irgl_run_0(args); case 1: return irgl_run_1(args);" in text


def test_what_any_unit_includes_is_included_once() -> None:
    text = joined([unit(1), unit(2, "array"), unit(3, "array")])
    assert [text.count(f'#include "cuda_rt/{name}.cuh"') for name in ("unit", "array")] == [1, 1]
