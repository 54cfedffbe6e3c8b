/* Files of figures: tables as CSV, gnuplot scripts, and gnuplot itself where it is installed. */
#include "plot.h"

#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH = 4096 };

int plot_folder(const char *folder) {
  struct stat found;
  if (mkdir(folder, 0777) == 0) return -1;
  if (errno == EEXIST && stat(folder, &found) == 0 && S_ISDIR(found.st_mode)) return -1;
  fprintf(stderr, "tacit: cannot make the folder %s: name another with --out\n", folder);
  return TACIT_INTERNAL;
}

static int cannot_write(const char *name) {
  fprintf(stderr, "tacit: cannot write %s into the folder of the figures: name another with --out\n", name);
  return TACIT_INTERNAL;
}

int plot_open(const char *folder, const char *name, plot_file *file) {
  char path[PATH];
  snprintf(file->name, sizeof file->name, "%s", name);
  int length = snprintf(path, sizeof path, "%s/%s", folder, name);
  file->file = length > 0 && length < PATH && !tacit_ledger_at(path) ? fopen(path, "w") : NULL;
  return file->file ? -1 : cannot_write(name);
}

void plot_line(const plot_file *file, size_t count, const double *values) {
  for (size_t i = 0; i < count; i++) {
    char text[ROUNDED_SIZE] = "";
    if (!isnan(values[i])) in_full(text, values[i]);
    fprintf(file->file, "%s%c", text, i + 1 < count ? ',' : '\n');
  }
}

int plot_close(plot_file *file) {
  bool good = !ferror(file->file);
  good = fclose(file->file) == 0 && good;
  return good ? -1 : cannot_write(file->name);
}

int plot_script(const char *folder, const picture *p) {
  const char *name = p->name;
  plot_file script;
  char file[64];
  snprintf(file, sizeof file, "%s.gp", name);
  int code = plot_open(folder, file, &script);
  if (code >= 0) return code;
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
          name, name, name, p->width, p->height, name, name, p->commands);
  return plot_close(&script);
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

bool plot_draw(const char *folder, const char *name) {
  char program[] = "gnuplot", script[64], path[PATH];
  snprintf(script, sizeof script, "%s.gp", name);
  for (size_t i = 0; i < 2; i++) { /* as it would be written through a link */
    int length = snprintf(path, sizeof path, "%s/%s.%s", folder, name, i ? "svg" : "png");
    if (length < 0 || length >= PATH || tacit_ledger_at(path)) return false;
  }
  char *const arguments[] = {program, script, NULL};
  pid_t child = fork();
  if (child == 0) become_gnuplot(folder, arguments);
  int status = -1;
  while (child > 0 && waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
