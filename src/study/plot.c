/* A folder of figures: CSV files, gnuplot scripts, and gnuplot itself where it is installed. */
#include "study/plot.h"

#include "study/study.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH = 4096 };

tacit_status tacit_plot_folder(const char *folder, tacit_error *error) {
  struct stat found;
  if (mkdir(folder, 0777) == 0) return TACIT_OK;
  if (errno == EEXIST && stat(folder, &found) == 0 && S_ISDIR(found.st_mode)) return TACIT_OK;
  return tacit_fail(error, TACIT_INTERNAL, "cannot make the folder %.300s: name another with --out", folder);
}

static tacit_status cannot_write(const char *name, tacit_error *error) {
  return tacit_fail(error, TACIT_INTERNAL,
                    "cannot write %s into the folder of the figures: name another with --out", name);
}

tacit_status tacit_plot_open(const char *folder, const char *name, tacit_plot_file *file,
                             tacit_error *error) {
  char path[PATH];
  snprintf(file->name, sizeof file->name, "%s", name);
  int length = snprintf(path, sizeof path, "%s/%s", folder, name);
  file->file = length > 0 && length < PATH ? fopen(path, "w") : NULL;
  return file->file ? TACIT_OK : cannot_write(name, error);
}

void tacit_plot_line(const tacit_plot_file *file, size_t count, const double *values) {
  for (size_t i = 0; i < count; i++) {
    char text[TACIT_NUMBER_TEXT_MAX] = "";
    if (!isnan(values[i])) tacit_number_text(text, values[i]);
    fprintf(file->file, "%s%c", text, i + 1 < count ? ',' : '\n');
  }
}

tacit_status tacit_plot_close(tacit_plot_file *file, tacit_error *error) {
  bool good = !ferror(file->file);
  good = fclose(file->file) == 0 && good;
  return good ? TACIT_OK : cannot_write(file->name, error);
}

tacit_status tacit_plot_script(const char *folder, const char *name, int width, int height,
                               const char *commands, tacit_error *error) {
  tacit_plot_file script;
  char file[64];
  snprintf(file, sizeof file, "%s.gp", name);
  TACIT_TRY(tacit_plot_open(folder, file, &script, error));
  fprintf(script.file,
          "# Makes %s.png from %s.csv: gnuplot %s.gp\n"
          "set terminal pngcairo size %d,%d font 'sans,11'\n"
          "set output '%s.png'\n"
          "data = '%s.csv'\n"
          "set datafile separator ','\n"
          "set datafile missing NaN\n"
          "set border 3 lc rgb '#555555'\n"
          "set tics nomirror\n"
          "set grid lc rgb '#dddddd' lt 1\n"
          "%s",
          name, name, name, width, height, name, name, commands);
  return tacit_plot_close(&script, error);
}

/* In the child: only calls that are safe after fork in a program with threads. Nothing may reach our output.
 */
static void become_gnuplot(const char *folder, char *const *arguments) {
  int nowhere = open("/dev/null", O_RDWR);
  if (nowhere >= 0 && dup2(nowhere, 0) >= 0 && dup2(nowhere, 1) >= 0 && dup2(nowhere, 2) >= 0 &&
      chdir(folder) == 0)
    execvp(arguments[0], arguments);
  _exit(127);
}

bool tacit_plot_draw(const char *folder, const char *name) {
  char program[] = "gnuplot", script[64];
  snprintf(script, sizeof script, "%s.gp", name);
  char *const arguments[] = {program, script, NULL};
  pid_t child = fork();
  if (child == 0) become_gnuplot(folder, arguments);
  int status = -1;
  while (child > 0 && waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
