// The body of a function: scopes, registers, labels, statements and their operands.
#include <unistd.h>

#include <cstdio>

#include "parse.hpp"

namespace ptx {
namespace {
bool not_covered(Thread& t, const Inst& i) {
  fflush(stdout);
  fprintf(stderr, "ptx: error: not covered: %s\n", where(t, i).c_str());
  _exit(2);
}
}  // namespace

void Parser::body(Function& f) {
  function_ = &f;
  scopes_.assign(1, {});
  labels_.clear(), fixes_.clear(), tables_.clear();
  for (const auto* list : {&f.in, &f.out})
    for (const Param& p : *list) scopes_[0].params[p.name] = p.offset;
  symbol('{');
  memset(place_, 0, sizeof place_);
  while (!scopes_.empty()) {
    if (symbol('{')) scopes_.emplace_back();
    else if (symbol('}')) scopes_.pop_back();
    else if (symbol('.')) directive();
    else {
      skip();
      size_t end = at_;
      while (name_char(text_[end])) ++end;
      if (text_[end] == ':' && text_[end + 1] != ':') {
        const std::string label = name();
        symbol(':');
        skip();
        if (text_.compare(at_, 14, ".branchtargets") == 0) at_ += 14, tables_[label] = split(until(';'), ',');
        else if (!labels_.emplace(label, int(f.code.size())).second) refuse("the label " + label + " twice");
      } else {
        const unsigned line = line_;
        const std::string s = trim(until(';'));
        try {
          statement(s);
        } catch (std::string& what) {  // told when a thread comes to it
          Inst i;
          i.run = not_covered;
          memcpy(i.place, place_, sizeof place_);
          f.texts.push_back(std::make_unique<std::string>(what + " in `" + s + "`"));
          i.text = f.texts.back().get();
          f.code.push_back(i);
        }
        f.code.back().line = line;
      }
    }
  }
  for (const Fix& fix : fixes_)
    for (const std::string& label : fix.labels) {
      if (labels_.count(label) == 0) refuse("the label " + label + ", which is not there");
      f.code[fix.inst].target = labels_[label];
      f.code[fix.inst].targets.push_back(labels_[label]);
    }
  function_ = nullptr;
}

void Parser::directive() {
  const std::string w = name();
  if (w == "loc") loc();
  else if (w == "reg") registers();
  else if (w == "param") param_variable();
  else if (w == "local" || w == "shared") variable(w, false);
  else if (w == "pragma") until(';');
  else refuse("." + w);
}
void Parser::loc() {
  const std::string rest = until('\n');
  unsigned file = 0, line = 0;
  sscanf(rest.c_str(), "%u %u", &file, &line);
  if (line == 0) return;
  place_[0] = file, place_[1] = line, place_[2] = place_[3] = 0;
  const size_t at = rest.find("inlined_at ");
  if (at != std::string::npos) sscanf(rest.c_str() + at + 11, "%u %u", place_ + 2, place_ + 3);
}
void Parser::registers() {
  symbol('.');
  size_of(name());
  for (const std::string& each : split(until(';'), ',')) {
    const size_t angle = each.find('<');
    if (angle == std::string::npos) scopes_.back().registers[each] = function_->registers++;
    else
      for (int k = 0, n = atoi(each.c_str() + angle + 1); k < n; ++k)
        scopes_.back().registers[each.substr(0, angle) + std::to_string(k)] = function_->registers++;
  }
}
void Parser::param_variable() {
  const Declared d = declared();
  int64_t& bytes = function_->param_bytes;
  bytes = (bytes + 15) / 16 * 16;
  scopes_.back().params[d.name] = bytes;
  bytes += d.size;
  symbol(';');
}

void Parser::call(Decoder& d, const std::vector<std::string>& parts) {
  size_t k = 0;
  if (parts[k][0] == '(') d.inst.out_param = places(parts[k++]).at(0);
  const std::string name = parts.at(k++);
  if (name[0] == '%') refuse("a call by a pointer");
  if (k < parts.size()) d.inst.in_params = places(parts[k++]);
  calls_[function_->name].emplace_back(function_->code.size(), name);
}

void Parser::statement(const std::string& text) {
  Decoder d{*module_, *function_, "", {}, {}, {}, {}};
  std::string rest = text;
  if (rest[0] == '@') {
    d.inst.guard_not = rest[1] == '!';
    const size_t end = rest.find(' ');
    d.inst.guard = register_of(rest.substr(d.inst.guard_not ? 2 : 1, end - (d.inst.guard_not ? 2 : 1)));
    if (d.inst.guard < 0) refuse("the guard");
    rest = trim(rest.substr(end));
  }
  size_t end = 0;
  while (end < rest.size() && !isspace(static_cast<unsigned char>(rest[end]))) ++end;
  std::string opcode = rest.substr(0, end);
  for (size_t colons; (colons = opcode.find("::")) != std::string::npos;) opcode.replace(colons, 2, "@");
  d.words = split(opcode, '.');
  d.name = d.words.at(0);
  d.words.erase(d.words.begin());
  d.taken.assign(d.words.size(), false);
  const std::vector<std::string> parts = split(rest.substr(end), ',');
  memcpy(d.inst.place, place_, sizeof place_);
  function_->texts.push_back(std::make_unique<std::string>(text));
  d.inst.text = function_->texts.back().get();
  if (d.name == "call") call(d, parts);
  else if (d.name == "bra") fixes_.push_back({function_->code.size(), parts});
  else if (d.name == "brx") {
    d.args.push_back(operand(parts.at(0), d));
    fixes_.push_back({function_->code.size(), tables_[parts.at(1)]});
  } else {
    for (const std::string& part : parts) d.args.push_back(operand(part, d));
  }
  for (const auto group : {control, moves, memory, arithmetic, comparisons, bits, conversions, floats, atomics,
      warps}) {
    d.inst.run = group(d);
    if (d.inst.run == nullptr) continue;
    for (size_t k = 0; k < d.words.size(); ++k)
      if (!d.taken[k]) refuse("the modifier ." + d.words[k] + " of " + d.name);
    function_->code.push_back(d.inst);
    return;
  }
  refuse("the instruction " + d.name);
}

void Parser::resolve(Function& f) {
  for (const auto& [k, name] : calls_[f.name]) {
    if (module_->functions.count(name) == 0) refuse("a call of " + name);
    f.code[k].callee = module_->functions[name].get();
  }
}

}  // namespace ptx
