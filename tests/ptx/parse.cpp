// The text of a module: directives, variables, functions, and the statements of their bodies.
#include "parse.hpp"

#include <cstdlib>

#include "memory.hpp"

namespace ptx {

int64_t Parser::size_of(const std::string& type) {
  if (type == "pred") return 1;
  const int64_t bits = atoll(type.c_str() + 1);
  if (bits % 8 != 0 || bits == 0) refuse("the type ." + type);
  return bits / 8;
}

bool Parser::word(const char* expected) {
  skip();
  const size_t n = strlen(expected);
  if (text_.compare(at_, n, expected) != 0 || name_char(text_[at_ + n])) return false;
  at_ += n;
  return true;
}
std::string Parser::name() {
  skip();
  const size_t from = at_;
  while (name_char(text_[at_])) ++at_;
  if (from == at_) refuse("`" + text_.substr(at_, 20) + "`");
  return text_.substr(from, at_ - from);
}
bool Parser::symbol(char c) {
  skip();
  if (text_[at_] != c) return false;
  ++at_;
  return true;
}
void Parser::skip() {
  for (; at_ < text_.size(); ++at_) {
    if (text_[at_] == '/' && text_[at_ + 1] == '/') at_ = text_.find('\n', at_);
    if (at_ >= text_.size()) break;
    if (text_[at_] == '\n') ++line_;
    else if (!isspace(static_cast<unsigned char>(text_[at_]))) break;
  }
}
std::string Parser::until(char c) {
  std::string found;
  for (; at_ < text_.size() && text_[at_] != c; ++at_) {
    if (text_[at_] == '\n') ++line_;
    found += text_[at_] == '\n' || text_[at_] == '\t' ? ' ' : text_[at_];
  }
  if (at_ < text_.size() && c != '\n') ++at_;
  return found;
}
void Parser::skip_braces() {
  int depth = 0;
  do {
    skip();
    if (text_[at_] == '{') ++depth;
    else if (text_[at_] == '}') --depth;
    ++at_;
  } while (depth != 0);
}

// .align 8 .b8 name[64]
Parser::Declared Parser::declared() {
  Declared d;
  int64_t vector = 1;
  while (symbol('.')) {
    const std::string w = name();
    if (w == "align") d.align = atoll(name().c_str());
    else if (w == "v2" || w == "v4") vector = w[1] - '0';
    else if (w == "ptr" || w == "global" || w == "shared" || w == "local" || w == "const") continue;  // of a parameter
    else d.type = w;
  }
  d.name = name();
  d.size = size_of(d.type) * vector;
  if (d.align < d.size && d.size <= 16) d.align = d.size;
  while (symbol('[')) {
    skip();
    d.size = text_[at_] == ']' ? 0 : d.size * atoll(name().c_str());
    if (!symbol(']')) refuse("the size of " + d.name);
  }
  return d;
}
void Parser::variable(const std::string& space, bool is_extern) {
  const Declared d = declared();
  Variable v{d.name, space == "shared" ? Space::shared : space == "local" ? Space::local : Space::global, 0, d.size};
  if (v.space == Space::shared) {
    auto& valid = module_->shared_valid;
    if (!is_extern) {  // dynamic shared memory has no place of its own
      const size_t align = size_t(d.align < 16 ? 16 : d.align);
      v.offset = int64_t((valid.size() + 16 + align - 1) / align * align);  // with a gap
      valid.resize(size_t(v.offset + d.size), 0);
      for (int64_t k = 0; k < d.size; ++k) valid[size_t(v.offset + k)] = 1;
      if (function_ != nullptr) function_->shared_bytes += d.size;
    }
  } else if (v.space == Space::local) {
    if (function_ == nullptr) refuse("local memory outside of functions");
    v.offset = (function_->local_bytes + d.align - 1) / d.align * d.align;
    function_->local_bytes = v.offset + d.size;
  } else {
    auto* const memory = static_cast<uint8_t*>(aligned_alloc(256, size_t(d.size + 511) / 256 * 256));
    memset(memory, 0, size_t(d.size));
    v.offset = int64_t(reinterpret_cast<uint64_t>(memory));
    add_variable(uint64_t(v.offset), size_t(d.size));
    if (symbol('=')) initial(memory, d);
  }
  if (function_ != nullptr) scopes_.back().variables[d.name] = v;
  else module_->variables[d.name] = v;
  if (!symbol(';')) refuse("what follows the variable " + d.name);
}
void Parser::initial(uint8_t* memory, const Declared& d) {
  const int64_t each = size_of(d.type);
  const bool listed = symbol('{');
  for (int64_t k = 0;; ++k) {
    skip();
    const size_t from = at_;
    while (name_char(text_[at_]) || text_[at_] == '-') ++at_;
    uint64_t value;
    const std::string word = text_.substr(from, at_ - from);
    if (!number(word, value)) refuse("the initial value " + word);
    memcpy(memory + k * each, &value, size_t(each));
    if (!listed || symbol('}')) return;
    if (!symbol(',')) refuse("an initial value of " + d.name);
  }
}

void Parser::params(std::vector<Param>& found, int64_t& bytes) {
  if (!symbol('(') || symbol(')')) return;
  do {
    if (!word(".param")) refuse("a parameter that is none");
    const Declared d = declared();
    bytes = (bytes + d.align - 1) / d.align * d.align;
    found.push_back({d.name, bytes, d.size});
    bytes += d.size;
  } while (symbol(','));
  symbol(')');
}

void Parser::function(bool kernel) {
  std::vector<Param> returned, given;
  int64_t bytes = 0, in_bytes = 0;
  skip();
  if (!kernel && text_[at_] == '(') params(returned, bytes);
  const std::string name = this->name();
  skip();
  if (text_[at_] == '(') params(given, in_bytes);
  auto& held = module_->functions[name];
  if (held == nullptr) held = std::make_unique<Function>();
  Function& f = *held;
  f.name = name, f.kernel = kernel, f.in = given, f.in_bytes = in_bytes;
  f.out = returned;
  int64_t end = (in_bytes + 15) / 16 * 16;
  for (Param& p : f.out) p.offset += end;
  f.param_bytes = end + bytes;
  for (;;) {
    if (symbol(';')) return;
    skip();
    if (text_[at_] == '{') break;
    if (!symbol('.')) refuse("`" + text_.substr(at_, 20) + "`");
    const std::string directive = this->name();
    if (directive == "noreturn") continue;
    int threads = 1;
    do threads *= atoi(this->name().c_str());
    while (symbol(','));
    if (directive == "maxntid" || directive == "reqntid") f.max_threads = threads;
    else if (directive != "minnctapersm" && directive != "maxnreg") refuse("." + directive);
  }
  f.defined = true;
  body(f);
}

std::unique_ptr<Module> Parser::module() {
  module_ = std::make_unique<Module>();
  for (skip(); at_ < text_.size(); skip()) {
    if (!symbol('.')) refuse("`" + text_.substr(at_, 20) + "`");
    std::string w = name();
    bool is_extern = false;
    while (w == "visible" || w == "weak" || w == "extern" || w == "common") {
      is_extern = is_extern || w == "extern";
      symbol('.');
      w = name();
    }
    if (w == "version" || w == "target" || w == "address_size") until('\n');
    else if (w == "file") file();
    else if (w == "section") name_of_section(), skip_braces();
    else if (w == "entry" || w == "func") function(w == "entry");
    else if (w == "global" || w == "const" || w == "shared") variable(w, is_extern);
    else refuse("." + w);
  }
  module_->dynamic_shared = int64_t(module_->shared_valid.size() + 31) / 16 * 16;
  module_->shared_valid.resize(size_t(module_->dynamic_shared), 0);
  for (const auto& [name, f] : module_->functions) resolve(*f);
  return std::move(module_);
}
void Parser::name_of_section() {
  skip();
  while (!isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
}
void Parser::file() {
  const size_t number = size_t(atoll(name().c_str()));
  const std::string rest = until('\n');
  const size_t from = rest.find('"') + 1;
  if (module_->files.size() <= number) module_->files.resize(number + 1);
  module_->files[number] = rest.substr(from, rest.find('"', from) - from);
}

bool number(const std::string& word, uint64_t& value) {
  const char* s = word.c_str();
  const bool negative = *s == '-';
  if (negative) ++s;
  if (!isdigit(static_cast<unsigned char>(*s))) return false;
  if (s[0] == '0' && (s[1] == 'f' || s[1] == 'F' || s[1] == 'd' || s[1] == 'D')) {
    value = strtoull(s + 2, nullptr, 16);
    if (negative) value ^= s[1] == 'f' || s[1] == 'F' ? uint64_t(1) << 31 : uint64_t(1) << 63;
    return true;
  }
  char* end = nullptr;
  value = strtoull(s, &end, 0);
  if (*end != 0 && strcmp(end, "U") != 0) return false;
  if (negative) value = -value;
  return true;
}

std::unique_ptr<Module> parse(const char* text) { return Parser(text).module(); }

}  // namespace ptx
