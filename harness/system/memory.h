#pragma once
// Memory that runs out: what an allocation that fails comes to.
//
// Libraries do not survive a failed allocation in every place: streams swallow it and end a file early,
// destructors allocate. So operator new, which memory.cpp replaces, meets small requests from a reserve
// when malloc fails, and the thread is told at the next RequireMemory, where giving up is safe. Large
// requests throw std::bad_alloc, as they do when the reserve is used up.

namespace okbench {

/// From now on a program that std::terminate ends prints one line and exits with status 1, without
/// allocating.
void GuardMemory() noexcept;

/// Whether an allocation of this thread has failed since ForgetShortage: what went wrong may be due to it.
bool MemoryRanOut() noexcept;

/// Throws std::bad_alloc when one has.
void RequireMemory();

/// To be called once what asked for memory is over.
void ForgetShortage() noexcept;

/// Prints that memory ran out, in one line and without allocating.
void SayOutOfMemory() noexcept;

}  // namespace okbench
