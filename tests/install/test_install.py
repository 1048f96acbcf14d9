"""The installed program and package: another project finds okbench::learners and learns with it."""

import json
import pathlib
import subprocess

CMAKE = """cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES CXX)
find_package(okbench REQUIRED)
add_executable(consumer main.cpp)
target_link_libraries(consumer PRIVATE okbench::learners)
okbench_add_plugin(mine mine.cpp)
"""

PLUGIN = """#include "learners/api/plugin.h"
#include "learners/methods/perceptron/perceptron.h"
namespace okbench::mine {
LearnerInfo Describe() {
  return DefineBudgetLearner(
      {.name = "mine", .title = "Mine", .paper = "", .labels = {LabelKind::kBinary}, .update = ""}, {.beta = 0},
      [](const BudgetOptions&, const auto&) { return perceptron::PerceptronUpdate(); });
}
}  // namespace okbench::mine
OKBENCH_PLUGIN(okbench::mine::Describe);
"""

MAIN = """#include <cstdio>
#include "learners/api/registry.h"
#include "learners/core/eigen_examples.h"
int main(int argc, char**) {
  if (argc > 1) return 7;  // it was started again for a library's work, which it does not know
  const auto& info = okbench::FindLearner("svmd");
  const auto values = okbench::ParameterValues::Resolve(info.parameters, {{"loss", std::string("hinge")}});
  const Eigen::Vector2f rows(1, 2);
  const auto data = okbench::Examples<float>::Dense(rows, {1, -1}, okbench::LabelKind::kBinary, 2);
  const auto learner = info.MakeAs<okbench::StreamLearner>(values, okbench::LearnerContext<float>{
      .train = &data, .test = nullptr, .kernel = okbench::Kernel::Linear()});
  learner->Step(0);
  const bool mistake = learner->Step(1).mistake;
  std::printf("%d %llu\\n", mistake, static_cast<unsigned long long>(learner->counts().requested));
  const auto& library = okbench::FindLearner("liblinear");
  const auto solver = library.MakeAs<okbench::SolverLearner>(
      okbench::ParameterValues::Resolve(library.parameters, {{"lambda", 0.01}}),
      okbench::LearnerContext<float>{.train = &data, .test = nullptr, .kernel = okbench::Kernel::Linear()});
  const std::uint32_t order[] = {0, 1};
  solver->Announce(order);
  // The sum of hinge losses max(0, 1 - w) + max(0, 1 + 2 w) is least for w = -1/2, which is wrong about x = 1.
  const auto outcome = solver->Round();
  std::printf("%d %.2f\\n", static_cast<int>(outcome.mistakes), outcome.mean_loss);
}
"""


def run(*command, cwd):
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_another_project_uses_the_package(binary, tmp_path):
    prefix = tmp_path / "prefix"
    run("cmake", "--install", pathlib.Path(binary).parent, "--prefix", prefix, cwd=tmp_path)
    project = tmp_path / "consumer"
    project.mkdir()
    (project / "CMakeLists.txt").write_text(CMAKE)
    (project / "main.cpp").write_text(MAIN)
    (project / "mine.cpp").write_text(PLUGIN)
    run("cmake", "-S", ".", "-B", "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", cwd=project)
    run("cmake", "--build", "build", cwd=project)
    assert run("build/consumer", cwd=project) == "1 3\n1 0.75\n"
    output = run(prefix / "bin" / "okbench", "help", "learners", "mine", "--plugin", "build/libmine.so", cwd=project)
    assert output.startswith("mine: Mine\n")


def test_the_installed_program_finds_its_files(binary, environment, tmp_path):
    prefix = tmp_path / "prefix"
    run("cmake", "--install", pathlib.Path(binary).parent, "--prefix", prefix, cwd=tmp_path)
    done = subprocess.run(
        [prefix / "bin" / "okbench", "help", "experiments"], capture_output=True, text=True, env=environment
    )
    assert (
        done.returncode == 0
        and str(prefix / "share" / "okbench" / "experiments" / "svmd-2006" / "fig3.toml") in done.stdout
    )
    assert (prefix / "share" / "bash-completion" / "completions" / "okbench").exists()


def test_the_installed_package_judges_and_finds_the_papers_numbers(binary, environment, tmp_path):
    prefix = tmp_path / "prefix"
    run("cmake", "--install", pathlib.Path(binary).parent, "--prefix", prefix, cwd=tmp_path)
    share = prefix / "share" / "okbench"
    claims = share / "experiments" / "budget-2003" / "claims.toml"
    claims.write_text(claims.read_text().replace("letter = [16000,", "letter = [16001,"))
    done = subprocess.run(
        [prefix / "bin" / "okbench", "claims", "--results", tmp_path, "--json"],
        capture_output=True,
        text=True,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    assert any(
        claim["paper_value"] and [16001, 4000, 26, 16] in claim["paper_value"]
        for claim in json.loads(done.stdout)["claims"]
        if claim["id"] == "table1"
    )
    code = "from okbench.claims import numbers; print(numbers('budget-2003').value('table1.letter')[0])"
    done = subprocess.run(
        [environment["OKBENCH_PYTHON"], "-c", code],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**environment, "PYTHONPATH": str(share / "python")},
    )
    assert done.stdout == "16001\n", done.stderr
