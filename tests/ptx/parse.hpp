// The parser's state.
#pragma once
#include <cctype>
#include <cstring>

#include "decode.hpp"

namespace ptx {

bool number(const std::string& word, uint64_t& value);
std::string trim(const std::string& s);
std::vector<std::string> split(const std::string& s, char by);  // outside of brackets

class Parser {
 public:
  explicit Parser(const char* text) : text_(text) { text_ += '\n'; }
  std::unique_ptr<Module> module();

 private:
  struct Declared {
    std::string name, type;
    int64_t align = 1, size = 0;
  };
  struct Scope {
    std::map<std::string, int> registers;
    std::map<std::string, Variable> variables;
    std::map<std::string, int64_t> params;  // places among the function's parameters
  };
  struct Fix {  // a branch or a call whose target comes later
    size_t inst;
    std::vector<std::string> labels;
  };

  static bool name_char(char c) { return isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%'; }
  static int64_t size_of(const std::string& type);
  void skip();
  bool word(const char* expected);
  std::string name();
  bool symbol(char c);
  std::string until(char c);
  void skip_braces();
  void name_of_section();
  void file();
  Declared declared();
  void variable(const std::string& space, bool is_extern);
  void initial(uint8_t* memory, const Declared& d);
  void params(std::vector<Param>& found, int64_t& bytes);
  void function(bool kernel);

  // body.cpp
  void body(Function& f);
  void directive();
  void loc();
  void registers();
  void param_variable();
  void statement(const std::string& text);
  void call(Decoder& d, const std::vector<std::string>& parts);
  Operand operand(const std::string& text, Decoder& d);
  Operand address(const std::string& inside, Decoder& d);
  std::vector<int64_t> places(const std::string& list);
  const Variable* variable_of(const std::string& name);
  int register_of(const std::string& name);  // -1: none
  bool param_of(const std::string& name, int64_t& place);
  void resolve(Function& f);

  std::string text_;
  size_t at_ = 0;
  unsigned line_ = 1;
  std::unique_ptr<Module> module_;
  Function* function_ = nullptr;
  std::vector<Scope> scopes_;
  std::map<std::string, int> labels_;
  std::map<std::string, std::vector<std::string>> tables_;  // .branchtargets
  std::vector<Fix> fixes_;
  std::map<std::string, std::vector<std::pair<size_t, std::string>>> calls_;  // by function: who is called
  unsigned place_[4] = {};
};

}  // namespace ptx
