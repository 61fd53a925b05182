// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// `sheaf run` as its users call it: real jobs over each MPI library, their ends, and what is refused.
#include "sheaf/run_command.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <sstream>
#include <thread>

#include "sheaf/command_error.hpp"
#include "tools/launchers.hpp"
#include "tools/shell.hpp"
#include "tools/temporary_folder.hpp"

namespace {

using namespace sheaf::test;
using sheaf::tool::command_error;
using sheaf::tool::parse_setting;

/// The words that ask for each launcher that is here.
std::vector<std::string> launchers() {
  std::vector<std::string> all;
  for (std::string const mpi : {"openmpi", "mpich"}) {
    if (has_launcher(mpi)) all.push_back("--mpi " + mpi);
  }
  return all;
}

std::string const sort_words = SHEAF_TOOL_PATH " sort ";

TEST(run_command, real_jobs_of_every_shape) {
  temporary_folder const folder;
  std::string const input = folder.write("in", "c\nb\na\nd\n");
  std::vector<std::string> shapes{"-n 3 --transport thread", "-n 3 --transport sim --seed 5"};
  if (!mpis().empty()) shapes.emplace_back("-n 2 -t 2");
  for (std::string const& mpi : mpis()) {
    shapes.push_back("-n 3 --mpi " + mpi);
    shapes.push_back("-n 4 -t 2 --mpi " + mpi);
    shapes.push_back("-n 2 -t 2 --transport mpi --set buffer_bytes=256 --mpi " + mpi);
  }
  for (std::string const& shape : shapes) {
    shell_result const result = sheaf_tool("run " + shape + " " + sort_words + input);
    EXPECT_EQ(result.text, "a\nb\nc\nd\n") << shape;
    EXPECT_EQ(result.code, 0) << shape;
  }
}

TEST(run_command, all_processes_get_the_settings) {
  std::string const print = " sh -c 'echo $SHEAF_LOCATIONS $SHEAF_THREADS $SHEAF_WINDOW $SHEAF_HELPERS'";
  for (std::string const& each : launchers()) {
    shell_result const result = sheaf_tool("run -n 4 -t 2 --set window=5 " + each + print, "SHEAF_HELPERS=17");
    EXPECT_EQ(result.text, "4 2 5 17\n4 2 5 17\n") << each;
  }
}

TEST(run_command, the_exit_status_of_the_job_is_passed_on) {
  EXPECT_EQ(sheaf_tool("run -n 2 -t 2 sh -c 'exit 7'").code, 7);
  for (std::string const& each : launchers()) {
    EXPECT_EQ(sheaf_tool("run -n 2 " + each + " sh -c 'exit 7'").code, 7) << each;
  }
}

/// A script that ends when it is asked as Sheaf's reports are: by SIGUSR2 under MPICH, which has another use for
/// SIGUSR1.
TEST(run_command, a_job_is_asked_by_a_signal_to_the_launcher) {
  temporary_folder const folder;
  for (std::string const& each : launchers()) {
    bool const mpich = each == "--mpi mpich";
    std::string const script =
        folder.write("asked", std::string("#!/bin/sh\ntrap 'echo asked; exit 0' ") + (mpich ? "USR2" : "USR1") +
                                  "\necho ready\nwhile :; do sleep 0.05; done\n");
    ::chmod(script.c_str(), 0755);
    std::string const out = folder / (mpich ? "mpich" : "openmpi");
    std::string const driver = folder.write(
        "driver", SHEAF_TOOL_PATH " run -n 2 " + each + " " + script + " > " + out + " 2>&1 < /dev/null &\n" +
                      "until [ $(grep -c ready " + out + ") = 2 ]; do sleep 0.05; done\n" +
                      "kill -USR1 $!; wait $!; echo \"code $?\"; cat " + out + "\n");
    shell_result const result = shell("timeout -k 5 60 sh " + driver);
    EXPECT_NE(result.text.find("asked"), result.text.rfind("asked")) << each << '\n' << result.text;
    EXPECT_TRUE(result.says("code 0\n")) << each << '\n' << result.text;
  }
}

TEST(run_command, output_is_labelled_by_process) {
  for (std::string const& each : launchers()) {
    bool const mpich = each == "--mpi mpich";
    shell_result const result = sheaf_tool("run -n 4 -t 2 --label " + each + " sh -c 'echo out'");
    for (char const* line : {mpich ? "[0] out\n" : ",0]<stdout>:out\n", mpich ? "[1] out\n" : ",1]<stdout>:out\n"}) {
      EXPECT_TRUE(result.says(line)) << each << result.text;
    }
  }
}

TEST(run_command, words_behind_the_program_are_its_own) {
  EXPECT_EQ(sheaf_tool("run -n 1 echo -n 3 --label -t").text, "3 --label -t");
}

TEST(run_command, a_dry_run_prints_a_line_that_a_shell_can_run) {
  shell_result const line = sheaf_tool("run -n 2 -t 2 --dry-run echo 'a  b'");
  EXPECT_EQ(line.code, 0);
  EXPECT_EQ(shell(line.text).text, "a  b\n");
}

TEST(run_command, a_starved_launcher_is_not_started) {
  if (!has_launcher("openmpi")) GTEST_SKIP() << "no Open MPI here";
  shell_result const result = shell("ulimit -n 48; " SHEAF_TOOL_PATH " run -n 4 --mpi openmpi true");
  EXPECT_TRUE(result.says("48 files open, and the launcher needs about 56 for 4 processes")) << result.text;
  EXPECT_EQ(result.code, 2);
}

/// Runs a job of four processes in a mount namespace of its own, whose /dev/shm is as large as told.
shell_result with_shared_memory(std::string const& size, std::string const& words) {
  temporary_folder const folder;
  std::string const input = folder.write("in", "b\na\n");
  return shell("unshare -m sh -c \"mount -t tmpfs -o size=" + size + " none /dev/shm && exec timeout 50 " +
               SHEAF_TOOL_PATH " run -n 4 " + words + " " SHEAF_TOOL_PATH " sort " + input + "\"");
}

TEST(run_command, a_job_whose_shared_memory_is_tiny_says_what_to_type) {
  if (::geteuid() != 0 || shell("unshare -m mount -t tmpfs none /dev/shm").code != 0) {
    GTEST_SKIP() << "mount namespaces are not permitted here";
  }
  std::string const sentence = "/dev/shm has 1.0 MB free of 1.0 MB, and MPI needs about 17.6 MB there for 4 processes";
  for (std::string const& mpi : mpis()) {
    shell_result const warned = with_shared_memory("1m", "--mpi " + mpi);
    std::size_t const at = warned.text.find(sentence);
    EXPECT_NE(at, std::string::npos) << mpi << warned.text;
    EXPECT_EQ(warned.text.find(sentence, at + 1), std::string::npos) << mpi << " says it twice";
    EXPECT_TRUE(warned.says("mount -o remount,size=64m /dev/shm")) << warned.text;
    EXPECT_EQ(with_shared_memory("64m", "--mpi " + mpi).text, "a\nb\n") << mpi;
  }
}

TEST(run_command, a_program_that_is_not_there_is_named_before_anything_starts) {
  temporary_folder const folder;
  std::string const plain = folder.write("plain", "text");
  shell_result result = sheaf_tool("run -n 2 no_such_program");
  EXPECT_EQ(result.text, "sheaf run: there is no program no_such_program on PATH\n");
  EXPECT_EQ(result.code, 127);
  result = sheaf_tool("run -n 2 " + plain);
  EXPECT_EQ(result.text, "sheaf run: " + plain + " is not executable: if it is a program, chmod +x " + plain + "\n");
  EXPECT_EQ(result.code, 126);
  EXPECT_TRUE(sheaf_tool("run -n 2 /").says("/ is a folder"));
  ::chmod(plain.c_str(), 0755);
  EXPECT_TRUE(
      shell("cd '" + folder / "" + "' && " SHEAF_TOOL_PATH " run plain").says("the one in this folder is ./plain"));
}

TEST(run_command, what_it_cannot_do_is_said_with_the_remedy) {
  std::pair<char const*, char const*> const cases[] = {
      {"run -n 5 -t 2 true", "ask for -n 4 or 6, or for -t 1, 5"},
      {"run -n 2 --frob true", "there is no option --frob"},
      {"run -n 2", "which program?"},
      {"run -n 0 true", "not in range 1 to 65536"},
      {"run --hosts a:x true", "write hosts as NAME or NAME:LOCATIONS"},
      {"run --transport mpi --seed 3 true", "--seed is for --transport sim"},
      {"run --set frob=1 true", "there is no setting SHEAF_FROB; sheaf info lists them"},
      {"run --set window=0 true", "'0' is not legal; it must be a whole number from 1 to 1048576"},
      {"run --set window true", "write NAME=VALUE"}};
  for (auto const& [words, text] : cases) {
    shell_result const result = sheaf_tool(words);
    EXPECT_TRUE(result.says(text)) << words << '\n' << result.text;
    EXPECT_EQ(result.code, 2) << words;
  }
  EXPECT_TRUE(sheaf_tool("run true", "SHEAF_LOCATION=3").says("SHEAF_LOCATIONS? Correct its name"));
}

TEST(run_command, a_setting_may_be_written_in_three_ways) {
  for (char const* text : {"window=3", "WINDOW=3", "SHEAF_WINDOW=3"}) {
    EXPECT_EQ(parse_setting(text), std::pair(std::string("SHEAF_WINDOW"), std::string("3")));
  }
}

/// A job of two processes that sleep, started by `sheaf run WORDS` in a process group of its own.
class sleeping_job {
 public:
  explicit sleeping_job(std::string const& words) {
    std::string const program =
        folder_.write("sleeper", "#!/bin/sh\necho $$ >> " + folder_ / "pids" + "\nexec sleep 300\n");
    ::chmod(program.c_str(), 0755);
    self_ = ::fork();
    if (self_ == 0) {
      ::setpgid(0, 0);
      std::string const line = "exec " SHEAF_TOOL_PATH " run -n 2 " + words + " " + program + " > /dev/null 2>&1";
      ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      ::_exit(1);
    }
    wait_until([&] { return processes().size() == 2; });
  }
  sleeping_job(sleeping_job const&) = delete;
  sleeping_job& operator=(sleeping_job const&) = delete;
  ~sleeping_job() {
    for (pid_t const each : processes()) ::kill(each, SIGKILL);
    ::kill(-self_, SIGKILL);
  }

  pid_t self() const { return self_; }

  /// Reaps `sheaf run`, and returns how many of the job's processes outlive it by long.
  std::size_t left_behind() {
    int status = 0;
    ::waitpid(self_, &status, 0);
    wait_until([&] { return alive() == 0; });
    return alive();
  }

 private:
  std::vector<pid_t> processes() const {
    std::istringstream numbers(read_file(folder_ / "pids"));
    std::vector<pid_t> all;
    for (pid_t each = 0; numbers >> each;) all.push_back(each);
    return all;
  }

  std::size_t alive() const {
    std::size_t count = 0;
    for (pid_t const each : processes()) count += ::kill(each, 0) == 0;
    return count;
  }

  template <class Condition>
  static void wait_until(Condition const& condition) {
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition() && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

  temporary_folder folder_;
  pid_t self_ = -1;
};

TEST(run_command, no_process_outlives_a_job_that_is_told_to_end) {
  for (std::string const& each : launchers()) {
    sleeping_job interrupted(each);
    ::kill(-interrupted.self(), SIGINT);
    EXPECT_EQ(interrupted.left_behind(), 0u) << each << ": Ctrl-C";
    sleeping_job ended(each);
    ::kill(ended.self(), SIGTERM);
    ::kill(-ended.self(), SIGTERM);
    EXPECT_EQ(ended.left_behind(), 0u) << each << ": as timeout(1) does it";
    sleeping_job killed(each);
    ::kill(killed.self(), SIGKILL);
    EXPECT_EQ(killed.left_behind(), 0u) << each << ": SIGKILL";
  }
}

}  // namespace
