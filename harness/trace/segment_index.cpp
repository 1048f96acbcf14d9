#include "harness/trace/segment_index.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

#include "base/error.h"

namespace okbench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxOpen = 4;

// Indices of the last folders, the newest at the end.
struct Cached {
  fs::path folder;
  fs::file_time_type changed;
  std::shared_ptr<const SegmentIndex> index;
};
constexpr std::size_t kMaxCached = 8;

std::mutex cache_mutex;
std::vector<Cached>& Cache() {
  static std::vector<Cached> cache;
  return cache;
}

}  // namespace

std::shared_ptr<const SegmentIndex> SegmentIndex::Of(const fs::path& folder) {
  const std::lock_guard lock(cache_mutex);
  std::vector<Cached>& cache = Cache();
  std::error_code unknown;
  const fs::file_time_type changed = fs::last_write_time(folder.empty() ? "." : folder, unknown);
  const auto entry = std::ranges::find(cache, folder, &Cached::folder);
  if (entry != cache.end() && entry->changed == changed) return entry->index;
  std::shared_ptr<const SegmentIndex> before;
  if (entry != cache.end()) {
    before = entry->index;
    cache.erase(entry);
  }
  if (cache.size() == kMaxCached) cache.erase(cache.begin());
  cache.push_back({folder, changed, std::make_shared<const SegmentIndex>(folder, before.get())});
  return cache.back().index;
}

void SegmentIndex::Refresh() {
  const std::lock_guard lock(cache_mutex);
  for (Cached& cached : Cache()) cached.changed = fs::file_time_type::min();
}

std::shared_ptr<const SegmentIndex::Content> SegmentIndex::Read(const fs::path& path) {
  Content content;
  try {
    const Segment segment(path);
    content.files = segment.files();
    content.created = segment.created();
  } catch (const TraceError& error) {
    content.damage = std::string(error.what()) + "; delete it and run its trials again";
  }
  return std::make_shared<const Content>(std::move(content));
}

std::shared_ptr<const SegmentIndex::Content> SegmentIndex::Known(const fs::path& path) const {
  const auto position = std::ranges::lower_bound(segments_, path);
  if (position == segments_.end() || *position != path) return nullptr;
  const auto& content = contents_[static_cast<std::size_t>(position - segments_.begin())];
  return content->damage.empty() ? content : nullptr;
}

SegmentIndex::SegmentIndex(const fs::path& folder, const SegmentIndex* before) {
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, unreadable))
    if (IsSegment(entry.path())) segments_.push_back(folder / entry.path().filename());
  std::sort(segments_.begin(), segments_.end());
  contents_.resize(segments_.size());
  const auto read = [&](std::size_t number) {
    if (before != nullptr) contents_[number] = before->Known(segments_[number]);
    if (contents_[number] == nullptr) contents_[number] = Read(segments_[number]);
  };
  // Isolated: a thread that waits here must not take a trial, which may need the lock of Of().
  tbb::this_task_arena::isolate([&] { tbb::parallel_for(std::size_t{0}, segments_.size(), read); });
  for (std::uint32_t number = 0; number < contents_.size(); ++number)
    for (std::uint32_t i = 0; i < contents_[number]->files.size(); ++i) {
      const auto [place, is_new] = places_.try_emplace(contents_[number]->files[i], Place{number, i});
      if (!is_new && contents_[place->second.segment]->created < contents_[number]->created)
        place->second = {number, i};
    }
}

std::vector<std::string> SegmentIndex::damaged() const {
  std::vector<std::string> messages;
  for (const auto& content : contents_)
    if (!content->damage.empty()) messages.push_back(content->damage);
  return messages;
}

const SegmentIndex::Place* SegmentIndex::Find(const std::string& file) const {
  const auto entry = places_.find(file);
  return entry == places_.end() ? nullptr : &entry->second;
}

std::shared_ptr<const Segment> SegmentIndex::Open(std::uint32_t number) const {
  const std::lock_guard lock(mutex_);
  const auto entry = std::ranges::find(open_, number, [](const auto& pair) { return pair.first; });
  if (entry != open_.end()) {
    std::rotate(entry, entry + 1, open_.end());
    return open_.back().second;
  }
  if (open_.size() == kMaxOpen) open_.erase(open_.begin());
  open_.emplace_back(number, std::make_shared<const Segment>(segments_[number]));
  return open_.back().second;
}

bool IsPacked(const fs::path& file) {
  return SegmentIndex::Of(file.parent_path())->Find(file.filename().string()) != nullptr;
}

}  // namespace okbench
