// The list of a class gives names and values of its trace columns, and its archive.
#include "learners/core/state.h"

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/catch.h"

using okbench::Archive;
namespace state = okbench::state;

namespace {

// Checks what it reads, and has no columns.
struct Checked {
  std::vector<double> values{1, 2};
  void Serialize(Archive& archive) {
    archive.Field("values", values);
    if (values.empty()) Archive::Fail("values", "are none");
  }
};

class Inner {
 public:
  std::uint64_t updates = 3;
  static auto State() { return state::List(state::Column("updates", &Inner::updates)); }
};

class Outer {
 public:
  Inner inner;
  Checked checked;
  double wealth = 0.5;
  std::uint64_t steps = 7;
  double Half() const { return wealth / 2; }
  static auto State() {
    return state::List(state::Column("half", &Outer::Half), state::Part(&Outer::inner),
                       state::Part(&Outer::checked), state::Field("steps", &Outer::steps),
                       state::Column("wealth", &Outer::wealth));
  }
};

struct Stateless {};

TEST_CASE("a list of state: columns in its order, functions are computed, members are archived") {
  Outer object;
  CHECK(state::Columns<Outer>() == std::vector<std::string>{"half", "updates", "wealth"});
  std::vector<double> values(3);
  double* next = values.data();
  state::Report(object, next);
  CHECK(values == std::vector<double>{0.25, 3, 0.5});
  CHECK(next == values.data() + 3);

  Archive written, by_hand;
  state::Serialize(object, written);
  by_hand.Field("updates", object.inner.updates);
  by_hand.Field("values", object.checked.values);
  by_hand.Field("steps", object.steps);
  by_hand.Field("wealth", object.wealth);
  CHECK(written.bytes() == by_hand.bytes());

  Outer other{.inner = {.updates = 0}, .checked = {.values = {}}, .wealth = 0, .steps = 0};
  Archive reading(written.bytes());
  state::Serialize(other, reading);
  reading.Finish();
  CHECK((other.inner.updates == 3 && other.checked.values == std::vector<double>{1, 2} && other.steps == 7 &&
         other.wealth == 0.5));
}

TEST_CASE("a list of state: a part checks what it reads, and a class without a list has nothing") {
  Outer object{.inner = {}, .checked = {.values = {}}};
  Archive written;
  written.Field("updates", object.inner.updates);
  written.Field("values", object.checked.values);
  Archive reading(written.bytes());
  CHECK_THROWS_AS(state::Serialize(object, reading), okbench::InvalidArgument);

  Stateless nothing;
  Archive empty;
  state::Serialize(nothing, empty);
  CHECK((empty.bytes().empty() && state::Columns<Stateless>().empty()));
}

}  // namespace
