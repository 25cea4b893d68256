// The operands of a statement: registers, numbers, addresses, vectors, names.
#include "parse.hpp"

namespace ptx {

std::string trim(const std::string& s) {
  size_t from = 0, to = s.size();
  while (from < to && isspace(static_cast<unsigned char>(s[from]))) ++from;
  while (to > from && isspace(static_cast<unsigned char>(s[to - 1]))) --to;
  return s.substr(from, to - from);
}
std::vector<std::string> split(const std::string& s, char by) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (const char c : s) {
    if (c == '{' || c == '[' || c == '(') ++depth;
    if (c == '}' || c == ']' || c == ')') --depth;
    if (c == by && depth == 0) parts.push_back(trim(part)), part.clear();
    else part += c;
  }
  if (!trim(part).empty()) parts.push_back(trim(part));
  return parts;
}

int Parser::register_of(const std::string& name) {
  for (size_t k = scopes_.size(); k-- != 0;)
    if (const auto at = scopes_[k].registers.find(name); at != scopes_[k].registers.end()) return at->second;
  return -1;
}
bool Parser::param_of(const std::string& name, int64_t& place) {
  for (size_t k = scopes_.size(); k-- != 0;)
    if (const auto at = scopes_[k].params.find(name); at != scopes_[k].params.end()) return place = at->second, true;
  return false;
}
const Variable* Parser::variable_of(const std::string& name) {
  for (size_t k = scopes_.size(); k-- != 0;)
    if (const auto at = scopes_[k].variables.find(name); at != scopes_[k].variables.end()) return &at->second;
  const auto at = module_->variables.find(name);
  return at == module_->variables.end() ? nullptr : &at->second;
}

Operand Parser::address(const std::string& inside, Decoder& d) {
  Operand o{Operand::address, inside};
  size_t end = 0;
  while (end < inside.size() && (name_char(inside[end]))) ++end;
  const std::string base = inside.substr(0, end);
  std::string rest = trim(inside.substr(end));
  if (!rest.empty()) {
    uint64_t value;
    if (rest[0] != '+' && rest[0] != '-') refuse("the address");
    if (rest[0] == '+') rest = trim(rest.substr(1));
    if (!number(rest, value)) refuse("the address");
    o.offset = int64_t(value);
  }
  uint64_t value;
  int64_t place;
  if (number(base, value)) return o.slot = d.constant(value), o;
  o.slot = register_of(base);
  if (o.slot >= 0) return o;
  if (param_of(base, place)) return o.slot = d.constant(uint64_t(place)), o;
  const Variable* const v = variable_of(base);
  if (v == nullptr) refuse("the name " + base);
  if (v->space == Space::local) o.slot = 0, o.offset += v->offset;
  else if (v->space == Space::shared && v->size == 0) o.slot = 2;
  else o.slot = d.constant(uint64_t(v->offset));
  return o;
}
Operand Parser::operand(const std::string& text, Decoder& d) {
  if (text[0] == '[') return address(trim(text.substr(1, text.size() - 2)), d);
  Operand o{Operand::vector, text};
  if (text[0] == '{') {
    for (const std::string& part : split(text.substr(1, text.size() - 2), ',')) {
      const Operand each = operand(part, d);
      o.parts.push_back(each.kind == Operand::value ? d.constant(each.bits) : each.slot);
    }
    return o;
  }
  if (text[0] == '!') {
    o = operand(trim(text.substr(1)), d);
    o.negated = true;
    return o;
  }
  o.kind = Operand::reg;
  if (const size_t bar = text.find('|'); bar != std::string::npos) {
    o = operand(trim(text.substr(0, bar)), d);
    o.second = operand(trim(text.substr(bar + 1)), d).slot;
    return o;
  }
  if (text == "_") return o.slot = function_->registers++, o;
  if (number(text, o.bits)) return o.kind = Operand::value, o;
  if (text == "WARP_SZ") return o.kind = Operand::value, o.bits = 32, o;
  o.slot = register_of(text);
  if (o.slot >= 0) return o;
  o.kind = Operand::special;
  o.slot = special_register(text);
  if (o.slot >= 0) return o;
  o = address(text, d);
  o.kind = Operand::symbol;
  return o;
}

std::vector<int64_t> Parser::places(const std::string& list) {
  std::vector<int64_t> found;
  for (const std::string& each : split(list.substr(1, list.size() - 2), ',')) {
    int64_t place;
    if (!param_of(each, place)) refuse("the argument " + each);
    found.push_back(place);
  }
  return found;
}

}  // namespace ptx
