// SPDX-License-Identifier: MIT
// The parameters of a request, and the time that an answer may take.
module ecs.remote;
import ecs.std;

namespace ecs::remote {

void refuse(int status, std::string reason) { throw refused_request{status, std::move(reason)}; }

std::chrono::steady_clock::time_point moment_after(std::chrono::nanoseconds time) {
    const auto now = std::chrono::steady_clock::now();
    return now + std::min(time, std::chrono::steady_clock::time_point::max() - now);
}

bool flag(const request& of, const std::string& name, bool otherwise) {
    const std::string said = text(of, name);
    return said == "true" || (said != "false" && otherwise);
}

std::size_t number(const request& of, const std::string& name, std::size_t otherwise) {
    const std::string said = text(of, name);
    if (said.empty()) return otherwise;
    std::size_t value{};
    const char* const end = said.data() + said.size();
    if (const auto read = std::from_chars(said.data(), end, value);
        read.ptr != end || read.ec != decltype(read.ec){})
        refuse(400, "the parameter \"" + name + "\" is a number, not \"" + said + "\"");
    return value;
}

std::string text(const request& of, const std::string& name) {
    const auto found = of.parameters.find(name);
    return found == of.parameters.end() ? std::string() : found->second;
}

} // namespace ecs::remote
