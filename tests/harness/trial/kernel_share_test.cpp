#include "harness/trial/kernel_share.h"

#include <atomic>
#include <chrono>
#include <thread>

#include "learners/kernels/activity.h"
#include "tests/catch.h"

namespace okbench {
namespace {

void AwaitSamples(const KernelShare& share, std::uint64_t count) {
  const std::uint64_t enough = share.samples() + count;
  while (share.samples() < enough) std::this_thread::yield();
}

TEST_CASE("kernel time share equals the fraction of samples in kernels") {
  SECTION("all time in kernels") {
    KernelShare share;
    const EvaluationScope scope;
    AwaitSamples(share, KernelShare::kFewestSamples);
    CHECK(share.Finish().value() > 0.9);  // except samples before the scope began
  }
  SECTION("no time in kernels, even if other threads evaluate kernels") {
    KernelShare share;
    std::atomic<bool> end{false};
    std::thread other([&] {
      const EvaluationScope scope;
      while (!end.load()) std::this_thread::yield();
    });
    AwaitSamples(share, KernelShare::kFewestSamples);
    end = true;
    other.join();
    CHECK(share.Finish() == 0.0);
  }
  SECTION("evaluation time is excluded") {
    KernelShare share;
    AwaitSamples(share, 50);
    share.Pause();
    {
      const EvaluationScope measuring;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    share.Resume();
    AwaitSamples(share, 50);
    CHECK(share.Finish().value() < 0.1);  // a sample may fall between the two calls
  }
  SECTION("too few samples give no value") {
    KernelShare share;
    CHECK_FALSE(share.Finish().has_value());
  }
}

}  // namespace
}  // namespace okbench
