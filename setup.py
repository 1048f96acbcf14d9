"""pip install .: the Python package, with the program and the extension module that CMake builds."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ROOT = pathlib.Path(__file__).resolve().parent
TARGETS = ("okbench_program", "okbench_native")
MODULE = "_native" + sysconfig.get_config_var("EXT_SUFFIX")


PROJECT = re.compile(r'project\(okbench VERSION ([\d.]+) DESCRIPTION "([^"]+)"')
VERSION, DESCRIPTION = PROJECT.search((ROOT / "CMakeLists.txt").read_text()).groups()


def packages():
    return find_packages(ROOT / "python", include=["okbench", "okbench.*"])


def run(*command):
    try:
        subprocess.run([str(word) for word in command], cwd=ROOT, check=True)
    except FileNotFoundError:
        sys.exit(f"okbench: {command[0]} is missing; tools/setup.sh run python installs what the build needs")
    except subprocess.CalledProcessError as error:
        sys.exit(f"okbench: {' '.join(map(str, command[:3]))} ... failed with status {error.returncode}")


class CleanBuildPy(build_py):
    """Removes what an earlier wheel left."""

    def run(self):
        if not self.editable_mode:
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


class CMakeBuild(build_ext):
    """Runs the targets and install rules of CMakeLists.txt."""

    def run(self):
        in_place = self.inplace or self.editable_mode
        # An existing build folder for this interpreter.
        build = os.environ.get("OKBENCH_BUILD")
        if not build:
            build = ROOT / "build" / ("release" if in_place else "pip")
            options = (f"-DOKBENCH_PYTHON={sys.executable}", f"-DOKBENCH_PYTHON_IN_PLACE={'ON' if in_place else 'OFF'}")
            run("cmake", "--preset", "release", "-B", build, *options)
        run("cmake", "--build", build, "--target", *TARGETS, *(["okbench_native_in_place"] if in_place else []))
        if in_place:
            return
        package = pathlib.Path(self.build_lib, "okbench").resolve()
        for component in ("program", "extension"):
            run("cmake", "--install", build, "--prefix", package, "--component", component, "--strip")
        if not (package / MODULE).is_file():
            sys.exit(f"okbench: {build} has no {MODULE}; it was built for another interpreter than {sys.executable}")

    def get_outputs(self):
        package = pathlib.Path(self.build_lib, "okbench")
        return [str(path) for path in package.rglob("*") if path.is_file()]


(ROOT / "build").mkdir(exist_ok=True)
setup(
    version=VERSION,
    description=DESCRIPTION,
    packages=packages(),
    # CMake knows its sources; this makes the wheel one of this machine.
    ext_modules=[Extension("okbench._native", [])],
    cmdclass={"build_py": CleanBuildPy, "build_ext": CMakeBuild},
    options={"build": {"build_base": "build/wheel"}, "egg_info": {"egg_base": "build"}},
)
