/* Runs the binary of an FMU (FMI 2.0, co-simulation) on the system it was made for, as any environment in C would, and prints its
   outputs after every step. Arguments: library, URI of its resources, token, number of steps, size of a step, value references. */
#include <stdio.h>
#include <stdlib.h>
#ifdef _WIN32
#include <windows.h>
#define OPEN(path) ((void*)LoadLibraryA(path))
#define FIND(library, name) ((void*)GetProcAddress((HMODULE)library, name))
#else
#include <dlfcn.h>
#define OPEN(path) dlopen(path, RTLD_NOW)
#define FIND(library, name) dlsym(library, name)
#endif

typedef void (*Logger)(void*, const char*, int, const char*, const char*, ...);
typedef struct {
    Logger logger;
    void* (*allocate)(size_t, size_t);
    void (*release)(void*);
    void* finished;
    void* environment;
} Callbacks;

static void say(void* environment, const char* instance, int status, const char* category, const char* message, ...) {
    (void)environment, (void)status, (void)category;
    fprintf(stderr, "%s: %s\n", instance, message);
}

#define MUST(call) \
    if ((call) != 0) return fprintf(stderr, "failed: %s\n", #call), 1

int main(int count, char** given) {
    if (count < 7) return 2;
    void* library = OPEN(given[1]);
    if (!library) return fprintf(stderr, "cannot load %s\n", given[1]), 1;
#define TAKE(type, name, ...) type (*name)(__VA_ARGS__) = (type (*)(__VA_ARGS__))FIND(library, "fmi2" #name)
    TAKE(void*, Instantiate, const char*, int, const char*, const char*, const Callbacks*, int, int);
    TAKE(int, SetupExperiment, void*, int, double, double, int, double);
    TAKE(int, EnterInitializationMode, void*);
    TAKE(int, ExitInitializationMode, void*);
    TAKE(int, DoStep, void*, double, double, int);
    TAKE(int, GetReal, void*, const unsigned*, size_t, double*);
    TAKE(int, GetFMUstate, void*, void**);
    TAKE(int, SetFMUstate, void*, void*);
    TAKE(void, FreeInstance, void*);
    if (!Instantiate || !SetupExperiment || !DoStep || !GetReal || !FreeInstance) return fprintf(stderr, "functions are missing\n"), 1;
    Callbacks callbacks = {say, calloc, free, NULL, NULL};
    void* unit = Instantiate("unit", 1, given[3], given[2], &callbacks, 0, 1);
    if (!unit) return 1;
    MUST(SetupExperiment(unit, 0, 0.0, 0.0, 0, 0.0));
    MUST(EnterInitializationMode(unit));
    MUST(ExitInitializationMode(unit));
    const int steps = atoi(given[4]), outputs = count - 6;
    const double size = atof(given[5]);
    unsigned which[64];
    double values[64];
    for (int k = 0; k < outputs; ++k) which[k] = (unsigned)atoi(given[6 + k]);
    void* half = NULL;
    for (int k = 0; k < steps; ++k) {
        if (k == steps / 2) MUST(GetFMUstate(unit, &half));
        MUST(DoStep(unit, k * size, size, 1));
    }
    MUST(SetFMUstate(unit, half)); /* and once more from the middle */
    for (int k = steps / 2; k < steps; ++k) {
        MUST(DoStep(unit, k * size, size, 1));
        MUST(GetReal(unit, which, outputs, values));
        for (int i = 0; i < outputs; ++i) printf("%.17g ", values[i]);
        printf("\n");
    }
    FreeInstance(unit);
    return 0;
}
