"""A checker in Python that keeps the contract of Exercism's test runners, with nothing but Python.

It runs the unit tests of `<slug>_test.py`, the name that they have in Exercism's exercises. It takes that file from the
checks, so that no test of the work's own counts. Run it as CHECKER_COMMAND='python3 docs/examples/checker.py "$@"', inside
a sandbox.
"""
import importlib.util
import json
import os
import pathlib
import sys
import unittest

slug, work, results = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
file = pathlib.Path(os.environ.get("ASSAY_CHECKS", work)) / f"{slug.replace('-', '_')}_test.py"
if not file.is_file():
    sys.exit(f"The checks have no {file.name}.")
sys.path.insert(0, str(work))
sys.dont_write_bytecode = True


def tests_of(suite):
    return [test for part in suite for test in tests_of(part)] if isinstance(suite, unittest.TestSuite) else [suite]


def run(test):
    result = unittest.TestResult()
    unittest.TestSuite([test]).run(result)
    wrong = [text.strip() for _, text in result.failures + result.errors]
    passed = result.wasSuccessful()
    return {"name": test.id(), "status": "pass" if passed else "fail", "message": "\n".join(wrong) or None}


try:
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    tests = [run(test) for test in tests_of(unittest.defaultTestLoader.loadTestsFromModule(module))]
except BaseException as fault:  # also SystemExit, by which work would end its own tests
    tests = [{"name": file.stem, "status": "fail", "message": repr(fault)}]

status = "pass" if all(test["status"] == "pass" for test in tests) else "fail"
(results / "results.json").write_text(json.dumps({"version": 2, "status": status, "tests": tests}))
