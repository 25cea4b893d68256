"""What irglc emulate makes of a program's text before a compiler sees it."""

from __future__ import annotations

import pytest

from irgl.rt.emulate.refusals import refusal
from irgl.rt.emulate.text import rewrite
from irgl.source import IrglError

KERNELS = """__global__ void one(int* p) {}
__global__ void some(int* p, int a = 3, int b = 4) {}
template <class T, bool B> __global__ void either(T* p) {}
"""
REFUSED = [
    ("__shared__ int n = 0;", "a __shared__ variable can't have an initialiser"),
    ("static __shared__ int n[2] = {1, 2};", "a __shared__ variable can't have an initialiser"),
    ("one(p);", "the kernel one is called like a function"),
    ("int i; either<int, true>(p);", "the kernel either is called like a function"),
    ("f<<<1, 1>>(p);", "this launch is not complete"),
    ("3 <<<1, 1>>>(p);", "this launch has no kernel's name before `<<<`"),
]
LEFT_ALONE = [
    "__shared__ int n[N == 3 ? 1 : 2];",
    "one->some(p);",
    "void some(int); some(3);",
    "std::function<void(int*)> one; one(p);",
    '"; one(p);"; // ; one(p);',
    "some<<<1, 1>>>(p);",
]
LAUNCHES = [
    ("one", "p", "one, p"),
    ("o.k", "p", "o.k, p"),
    ("if (p) o->k", "p", "o->k, p"),
    ("q->a[i + 1].k", "p", "q->a[i + 1].k, p"),
    ("else ::a::one", "p", "::a::one, p"),
    ("chosen(3)", "p", "chosen(3), p"),
    ("some", "p, 1, f<1, 2>(3)", "some, p, 1, f<1, 2>(3)"),
    ("some", "p, 1", "some(irgl_emu_args...); }, p, 1"),
    ("either<int, (n > 32)>", "p", "either<int, (n > 32)>(irgl_emu_args...); }, p"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_what_nvcc_refuses_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(IrglError) as e:
        rewrite(f'# 1 "a.cu"\n{KERNELS}void f(int* p) {{\n  {text}\n}}\n')
    assert (e.value.message, e.value.file) == (said, "a.cu:5")


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_only_looks_so_is_left_alone(text: str) -> None:
    rewrite(f'# 1 "a.cu"\n{KERNELS}void f(int* p) {{\n  {text}\n}}\n')


@pytest.mark.parametrize(("kernel", "arguments", "made"), LAUNCHES)
def test_a_launch_names_its_kernel_in_any_way(kernel: str, arguments: str, made: str) -> None:
    text = rewrite(f"{KERNELS}void f(int* p) {{ {kernel}<<<1, 1>>>({arguments}); }}\n")
    assert f"{made});" in text


@pytest.mark.parametrize("cut", ["__device__ int ", "__device__ "])
def test_a_macro_of_a_system_header_may_stand_anywhere_in_a_declaration(cut: str) -> None:
    text = f'# 1 "a.cu"\n{cut}\n# 1 "a.cu" 3 4\n__extension__\n# 1 "a.cu"\n(int a) {{ return a; }}\n'
    assert rewrite(text) == text.replace("__device__", "")


def test_alignas_may_follow_shared() -> None:
    assert rewrite("static __shared__ alignas(16) int a[4];") == "alignas(16) static thread_local  int a[4];"


@pytest.mark.parametrize("words", [
    "extern __shared__ const int x[]", "extern const int __shared__ x[]", "const extern int __shared__ x[]",
    "__shared__ extern const int x[]", "extern const __shared__ int x[]"])
def test_words_of_dynamic_shared_memory_come_in_any_order(words: str) -> None:
    made = rewrite(f"void f() {{ {words}; }}").replace("int const", "const int")
    assert " ".join(made.split()) == "void f() { const int (&x)[] = *(const int (*)[])irgl_emu_dynamic_shared; }"


def test_lines_and_markers_within_dynamic_shared_memory_stay() -> None:
    made = rewrite('void f() {\n# 7 "a.cu"\n  extern volatile\n    int __shared__ x[];\n}\n')
    assert (made.count("\n"), made[11:].split("\n")[:2]) == (5, ['# 7 "a.cu"', "  "])
    assert made.count("volatile") == 2


MADE = ("cudaError_t irgl_emu::launch(const Config&, void (*)(Params ...), typename identity<Params>::type ...) "
        "[with Params = {int*}]")
SAID = [
    ("cannot convert 'float*' to 'irgl_emu::identity<int*>::type' {aka 'int*'}", "cannot convert 'float*' to 'int*'"),
    (f"too few arguments to function '{MADE}'", "too few arguments in the launch of a kernel that takes (int*)"),
    ("variable or field 'k' declared void\na.cu:3:9: error: 'T' was not declared", "'T' was not declared"),
]


@pytest.mark.parametrize(("said", "plain"), SAID)
def test_what_is_refused_is_said_in_the_programs_words(said: str, plain: str) -> None:
    assert refusal(f"a.cu:3:5: error: {said}\n") == ("a.cu:3", plain)


def test_an_error_in_a_header_of_the_emulator_is_told_where_the_program_includes_it() -> None:
    said = ("In file included from /x/emu/include/thrust/system_error.h:4,\n"
            "                 from a.cu:2:\n/x/emu/include/thrust/version.h:4:2: error: #error Thrust needs C++17\n")
    assert refusal(said) == ("a.cu:2", "#error Thrust needs C++17")


@pytest.mark.parametrize("name", ["program.cu", "<cell 1a2b3c>", "<text>"])
def test_a_users_text_is_rewritten_whatever_its_name(name: str) -> None:
    assert "__global__" not in rewrite(f'# 1 "{name}"\n__global__ void one(int* p) {{}}\n')
