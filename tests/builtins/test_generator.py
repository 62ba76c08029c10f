#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of tools/gen_builtins.py: what it makes of small definitions, and its messages.

    test_generator.py GENERATOR
"""
import os
import subprocess
import sys
import tempfile
import unittest

GENERATOR = ""


class Generator(unittest.TestCase):
    def run_on(self, text, *options, more=None):
        with tempfile.TemporaryDirectory() as folder:
            for name, content in {"b.def": text, **(more or {})}.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(content)
            run = subprocess.run([sys.executable, GENERATOR, os.path.join(folder, "b.def"),
                                  "--out", os.path.join(folder, "out"), *options],
                                 capture_output=True, text=True, cwd=folder)
            made = {}
            if not run.returncode:
                for name in sorted(os.listdir(os.path.join(folder, "out"))):
                    with open(os.path.join(folder, "out", name), encoding="utf-8") as file:
                        made[name] = file.read()
            return run, made

    def made(self, text, name="m.cl", **more):
        run, files = self.run_on(text, **more)
        self.assertEqual(run.returncode, 0, run.stderr)
        return files[name]

    def error(self, text, line, message, **more):
        run, _ = self.run_on(text, **more)
        self.assertEqual(run.returncode, 1)
        self.assertIn(f"b.def:{line}: error: {message}", run.stderr)

    def test_three_lines_make_all_types_and_widths(self):
        text = self.made("def all : {int,float}{,4}\nmodule m\n"
                         "func twice $all : $type x:$type\n    return x + x;\nend\n")
        for type_ in ("int", "int4", "float", "float4"):
            self.assertIn(f'tf_twice({type_} x) __asm__("__tf_b_twice_{type_}");', text)
            self.assertIn(f"TF_PUBLIC {type_} twice({type_} x)\n{{ TF_KEEP_CALL return tf_twice(x); }}",
                          text)

    def test_each_applies_the_scalar_function(self):
        text = self.made("module m\neach f float float2 : $type x:$type y:float\n    return x;\nend\n")
        self.assertIn("return (float2)(tf_f(x.s0, y),\n        tf_f(x.s1, y));", text)

    def test_names_and_types_follow_the_loops(self):
        text = self.made("module m\nnative load$vecdim int4 space=global local"
                         " : $type p:const $space $scalar * = p[$vecdim]\n")
        self.assertIn('tf_load4(const global int * p) __asm__("__tf_b_load4_p1int");', text)
        self.assertIn('__asm__("__tf_b_load4_p3int");', text)
        self.assertIn("return p[4];", text)

    def test_derived_types(self):
        text = self.made("module m\nfunc f double2 short : void x:$type\n"
                         "    $int a; $uint b; $bool c; $like(char) d; $bits;\nend\n")
        self.assertIn("    long2 a; ulong2 b; long2 c; char2 d; 64;", text)
        self.assertIn("    short a; ushort b; int c; char d; 16;", text)

    def test_join_writes_out_the_elements(self):
        text = self.made("module m\nfunc f int3 int : int x:$type\n    return $join[ + : x$e]$;\nend\n")
        self.assertIn("return x.s0+ x.s1+ x.s2;", text)
        self.assertIn("return x;", text)

    def test_other_modules_are_declared_by_private_name(self):
        run, files = self.run_on("module one\nnative f int : int x:int = x\n"
                                 "module two\nnative g int : int x:int = tf_f(x)\n")
        self.assertEqual(run.returncode, 0)
        self.assertIn('tf_f(int x) __asm__("__tf_b_f_int");', files["two.cl"])
        self.assertNotIn("TF_PUBLIC int f(", files["two.cl"])

    def test_private_functions_have_no_public_name(self):
        self.assertNotIn("TF_PUBLIC", self.made("module m\nprivate f int : int x:int\n"
                                                "    return x;\nend\n"))

    def test_split_modules_are_one_a_scalar_type(self):
        _, files = self.run_on("module m split\nnative f int int2 uint : $type x:$type = x\n")
        self.assertEqual(sorted(files), ["m_int.cl", "m_uint.cl"])

    def test_output_is_stable(self):
        text = "def l : {int,uint}{,2}\nmodule m\nnative f $l : $type x:$type = x\n"
        self.assertEqual(self.made(text), self.made(text))

    def test_include_is_relative(self):
        self.assertIn("tf_f", self.made("include a.def\n",
                                        more={"a.def": "module m\nnative f int : int x:int = x\n"}))

    def test_lines_continue_and_bodies_keep_their_number(self):
        text = self.made("module m\nfunc f int \\\n        : int x:int\n    return x;\nend\n")
        self.assertIn('#line 4 "b.def"\n    return x;', text)

    def test_table_for_the_tests_groups_widths(self):
        run, files = self.run_on("module m\n"
                                 "native f float{,4} : $type x:$type y:float ; ulp=2 = x\n"
                                 "func load$vecdim float4 space=global"
                                 " : $type p:const $space $scalar *\n    return 0;\nend\n",
                                 "--tests", os.path.join("out", "table.c"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn('{"f", "m", "2", "float", 2,\n     {{"float", ""}, {"float", ""}}, 2, '
                      '{{1, 1, 1}, {4, 4, 1}}},', files["table.c"])
        self.assertIn('{"load@", "m", "exact", "float", 1,\n     {{"float", "global"}}, 1, '
                      '{{4, 1}}},', files["table.c"])

    def test_errors_have_file_and_line(self):
        self.error("module m\nfunc f int : int x:int\n  return x;\n", 2, "func without end")
        self.error("module m\n\nnative f int : int x:int\n", 3, "native needs ' = expression'")
        self.error("module m\nnative f $no : int x:int = x\n", 2, "list '$no' is not defined")
        self.error("native f int : int x:int = x\n", 1, "'f' stands before the first module")
        self.error("def a : int\ndef a : int\n", 2, "list 'a' is defined twice")
        self.error("module m\nmodule m\n", 2, "module 'm' is defined twice")
        self.error("module m\nfun f int : int\n", 2, "'fun' is not def")
        self.error("module m\nnative f int : int x:int ; ulps=3 = x\n", 2,
                   "attribute 'ulps=3' is not known")
        self.error("module m\nnative f int : int x:int = x\nnative f int : int y:int = y\n", 3,
                   "f(int y) is defined twice, first at")
        self.error("module m\nalias g = f\n", 2, "alias of 'f', which is not defined above")
        self.error("include no.def\n", 1, "No such file")

    def test_unknown_variable_is_found_in_the_body(self):
        self.error("module m\nfunc f int : int x:int\n    int y;\n    return $nope;\nend\n", 4,
                   "$nope is not known here ('f' for int)")


if __name__ == "__main__":
    GENERATOR = os.path.abspath(sys.argv.pop(1))
    unittest.main()
