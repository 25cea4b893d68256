// Run lengths and back, a histogram by sorting, what a predicate chooses, and sets.
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/logical.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

struct is_vowel {
  __host__ __device__ bool operator()(char c) const {
    return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
  }
};

int main() {
  const std::string text = "aaabbbbbcddeeeeefaaaaaaaaaaabbcddddeeeiiioooouuuu";
  const int n = static_cast<int>(text.size());
  thrust::device_vector<char> input(text.begin(), text.end());

  thrust::device_vector<char> letters(n);
  thrust::device_vector<int> lengths(n);
  const auto ends = thrust::reduce_by_key(input.begin(), input.end(), thrust::constant_iterator<int>(1),
                                          letters.begin(), lengths.begin());
  const int runs = static_cast<int>(ends.first - letters.begin());
  std::string encoded;
  for (int i = 0; i < runs; i++) encoded += std::to_string(lengths[i]) + static_cast<char>(letters[i]);

  // Back: where each run starts, its number there, and so the number of the run of each letter.
  thrust::device_vector<int> starts(runs), run(n);
  thrust::exclusive_scan(lengths.begin(), lengths.begin() + runs, starts.begin());
  thrust::scatter(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(runs), starts.begin(), run.begin());
  thrust::inclusive_scan(run.begin(), run.end(), run.begin(), thrust::maximum<int>());
  thrust::device_vector<char> decoded(n);
  thrust::gather(run.begin(), run.end(), letters.begin(), decoded.begin());
  int wrong = decoded == input ? 0 : 1;

  // How often each letter is there.
  thrust::device_vector<char> sorted = input;
  thrust::sort(sorted.begin(), sorted.end());
  const int bins = 26;
  thrust::device_vector<int> below(bins), histogram(bins);
  const auto letter = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), thrust::placeholders::_1 + 'a');
  thrust::upper_bound(sorted.begin(), sorted.end(), letter, letter + bins, below.begin());
  thrust::transform(below.begin() + 1, below.end(), below.begin(), histogram.begin() + 1, thrust::minus<int>());
  histogram[0] = below[0];
  for (int c = 0; c < bins; c++) {
    wrong += histogram[c] != static_cast<int>(std::count(text.begin(), text.end(), static_cast<char>('a' + c)));
  }

  // Vowels.
  const long vowels = std::count_if(text.begin(), text.end(), is_vowel());
  wrong += thrust::count_if(input.begin(), input.end(), is_vowel()) != vowels;
  thrust::device_vector<int> places(n);
  const auto end = thrust::copy_if(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n), input.begin(),
                                   places.begin(), is_vowel());
  wrong += end - places.begin() != vowels;
  for (int i = 0; i < vowels; i++) wrong += !is_vowel()(text[places[i]]);
  thrust::device_vector<char> rest = input;
  rest.erase(thrust::remove_if(rest.begin(), rest.end(), is_vowel()), rest.end());
  wrong += static_cast<long>(rest.size()) != n - vowels || thrust::any_of(rest.begin(), rest.end(), is_vowel());
  thrust::device_vector<char> halves = input;
  const auto middle = thrust::stable_partition(halves.begin(), halves.end(), is_vowel());
  std::string expected = text, got(n, ' ');
  std::stable_partition(expected.begin(), expected.end(), is_vowel());
  thrust::copy(halves.begin(), halves.end(), got.begin());
  wrong += middle - halves.begin() != vowels || got != expected;

  // Sets of numbers.
  const std::vector<int> a = {1, 3, 3, 5, 8, 9}, b = {2, 3, 5, 5, 9, 11};
  const thrust::device_vector<int> x(a), y(b);
  thrust::device_vector<int> z(a.size() + b.size());
  std::vector<int> both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  z.erase(thrust::set_union(x.begin(), x.end(), y.begin(), y.end(), z.begin()), z.end());
  wrong += !(z == both);
  both.clear();
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  z.erase(thrust::set_intersection(x.begin(), x.end(), y.begin(), y.end(), z.begin()), z.end());
  wrong += !(z == both);

  // How many vowels come before each letter, anew in each run of one letter.
  thrust::device_vector<int> so_far(n);
  thrust::exclusive_scan_by_key(input.begin(), input.end(), thrust::constant_iterator<int>(1), so_far.begin());
  for (int i = 0; i < n; i++) wrong += so_far[i] != (i > 0 && text[i] == text[i - 1] ? so_far[i - 1] + 1 : 0);
  std::printf("%s\n%d wrong\n", encoded.c_str(), wrong);
  return wrong != 0;
}
