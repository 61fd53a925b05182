// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Operations of Global Arrays on all elements of arrays and of patches, for all types: fills, scales, sums, copies,
// products, quotients, extremes, dot products.
//
// Each operation begins and ends with a synchronisation, so what stands in an array is compared without another one.
// Over any ARMCI, Global Arrays' products of complex elements are wrong: they are left out.
#include "tables.h"

enum { rows = 13, columns = 9 };

static int const extents[2] = {rows, columns};

// Two sources and a result; divisors are such that quotients are exact in each type.
typedef struct {
  kind const* of;
  table a, b, c;
  box at_a, at_b, at_c;  // patches of one shape
} scene;

typedef number rule(kind const*, number, number);

static number plus(kind const* of, number x, number y) { return (void)of, sum(x, y); }

static number times(kind const* of, number x, number y) { return (void)of, product(x, y); }

static number second(kind const* of, number x, number y) { return (void)of, (void)x, y; }

static number over(kind const* of, number x, number y) {
  double const size = y.re * y.re + y.im * y.im;
  number q = product(x, (number){y.re / size, -y.im / size});
  if (of->id == C_INT || of->id == C_LONG) {
    q.re = trunc(x.re / y.re);
  } else if (of->id == C_FLOAT) {
    q.re = (float)(x.re / y.re);
  }
  return q;
}

static number larger(kind const* of, number x, number y) { return (void)of, x.re > y.re ? x : y; }

static number smaller(kind const* of, number x, number y) { return (void)of, x.re < y.re ? x : y; }

static number inverse(kind const* of, number x, number y) { return (void)y, over(of, (number){1, 0}, x); }

// Of a number that is real or imaginary.
static number size_of(kind const* of, number x, number y) {
  return (void)of, (void)y, (number){fabs(x.re) + fabs(x.im), 0};
}

static number after(table const* t, box b, int const step[]) {
  int const index[2] = {b.lo[0] + step[0], b.lo[1] + step[1]};
  return t->model[place(2, extents, index)];
}

// The model of what an operation does, for boxes of one shape; without B, the second number is CONSTANT.
static void model(table* c, box at_c, table const* a, box at_a, table const* b, box at_b, number constant, rule* f) {
  int step[2] = {0, 0};
  box const steps = {.hi = {at_c.hi[0] - at_c.lo[0], at_c.hi[1] - at_c.lo[1]}};
  do {
    int const index[2] = {at_c.lo[0] + step[0], at_c.lo[1] + step[1]};
    number const y = b != NULL ? after(b, at_b, step) : constant;
    c->model[place(2, extents, index)] = f(c->of, after(a, at_a, step), y);
  } while (advance(2, steps, step));
}

// --- Sources -----------------------------------------------------------------------------------------------------

static void make_divisors(table* t) {
  for (size_t at = 0; at < rows * columns; ++at) {
    uint64_t state = start_of(5, (int)at, 1);
    double const value = (1 << pick(&state, 3)) * (pick(&state, 2) ? 1 : -1);
    int const turned = t->of->complex && pick(&state, 2);
    t->model[at] = turned ? (number){0, value} : (number){value, 0};
  }
}

static box moved(box b, uint64_t* state) {
  for (int d = 0; d < 2; ++d) {
    int const extent = b.hi[d] - b.lo[d];
    b.lo[d] = pick(state, extents[d] - extent);
    b.hi[d] = b.lo[d] + extent;
  }
  return b;
}

static scene make_scene(int of) {
  scene s = {.of = &kinds[of], .a = made_table(of, 2, extents, 1), .b = made_table(of, 2, extents, 2)};
  make_divisors(&s.b);
  GA_Sync();
  write_own(&s.b);
  s.c = made_table(of, 2, extents, 3);
  uint64_t state = start_of(4, of, 2);
  s.at_a = random_box(&state, 2, whole(2, extents));
  s.at_b = moved(s.at_a, &state);
  s.at_c = moved(s.at_a, &state);
  return s;
}

static void end_scene(scene* s) {
  end_table(&s->a);
  end_table(&s->b);
  end_table(&s->c);
}

// Whether case I is tested on whole arrays (0) or on patches (1): with few cores, synchronisation takes long.
static int takes_part(size_t i, int patch) { return GA_Nnodes() < 5 || (int)(i % 2) == patch; }

// --- Elements ----------------------------------------------------------------------------------------------------

static void pairs(scene* s) {
  static struct {
    char const* name;
    void (*whole)(int, int, int);
    void (*patch)(int, int*, int*, int, int*, int*, int, int*, int*);
    rule* means;
    int only_real;
  } const operations[] = {
      {"GA_Elem_multiply", GA_Elem_multiply, GA_Elem_multiply_patch, times, 1},
      {"GA_Elem_divide", GA_Elem_divide, GA_Elem_divide_patch, over, 0},
      {"GA_Elem_maximum", GA_Elem_maximum, GA_Elem_maximum_patch, larger, 1},
      {"GA_Elem_minimum", GA_Elem_minimum, GA_Elem_minimum_patch, smaller, 1},
  };
  box const all = whole(2, extents);
  for (size_t i = 0; i < sizeof operations / sizeof *operations; ++i) {
    if (operations[i].only_real && s->of->complex) {
      continue;
    }
    if (takes_part(i, 0)) {
      operations[i].whole(s->a.handle, s->b.handle, s->c.handle);
      model(&s->c, all, &s->a, all, &s->b, all, (number){0, 0}, operations[i].means);
      expect_table(operations[i].name, &s->c);
    }
    if (takes_part(i, 1)) {
      operations[i].patch(s->a.handle, s->at_a.lo, s->at_a.hi, s->b.handle, s->at_b.lo, s->at_b.hi, s->c.handle,
                          s->at_c.lo, s->at_c.hi);
      model(&s->c, s->at_c, &s->a, s->at_a, &s->b, s->at_b, (number){0, 0}, operations[i].means);
      expect_table(operations[i].name, &s->c);
    }
  }
}

static void with_constants(scene* s) {
  static struct {
    char const* name;
    void (*whole)(int, void*);
    void (*patch)(int, int*, int*, void*);
    rule* means;
  } const operations[] = {
      {"GA_Fill", GA_Fill, NGA_Fill_patch, second},
      {"GA_Add_constant", GA_Add_constant, GA_Add_constant_patch, plus},
      {"GA_Scale", GA_Scale, NGA_Scale_patch, times},
  };
  box const all = whole(2, extents);
  for (size_t i = 0; i < sizeof operations / sizeof *operations; ++i) {
    number const constant = value_of(s->of, 30, (long)i, 5);
    DoubleComplex argument;
    store(s->of, &argument, 0, constant);
    if (takes_part(i, 0)) {
      operations[i].whole(s->c.handle, &argument);
      model(&s->c, all, &s->c, all, NULL, all, constant, operations[i].means);
      expect_table(operations[i].name, &s->c);
    }
    if (takes_part(i, 1)) {
      operations[i].patch(s->c.handle, s->at_c.lo, s->at_c.hi, &argument);
      model(&s->c, s->at_c, &s->c, s->at_c, NULL, all, constant, operations[i].means);
      expect_table(operations[i].name, &s->c);
    }
  }
}

static void of_one(scene* s) {
  static struct {
    char const* name;
    void (*whole)(int);
    void (*patch)(int, int*, int*);
    rule* means;
  } const operations[] = {
      {"GA_Recip", GA_Recip, GA_Recip_patch, inverse},
      {"GA_Abs_value", GA_Abs_value, GA_Abs_value_patch, size_of},
      {"GA_Zero", GA_Zero, NGA_Zero_patch, second},
  };
  box const all = whole(2, extents);
  for (size_t i = 0; i < sizeof operations / sizeof *operations; ++i) {
    for (int patch = 0; patch < 2; ++patch) {
      if (takes_part(i, patch)) {
        GA_Copy(s->b.handle, s->c.handle);
        model(&s->c, all, &s->b, all, &s->b, all, (number){0, 0}, second);
        box part = patch ? s->at_c : all;
        patch ? operations[i].patch(s->c.handle, part.lo, part.hi) : operations[i].whole(s->c.handle);
        model(&s->c, part, &s->c, part, NULL, all, (number){0, 0}, operations[i].means);
        expect_table(operations[i].name, &s->c);
      }
    }
  }
}

// --- Sums and copies ---------------------------------------------------------------------------------------------

// C becomes factor times what it is by then.
static void scale_model(table* t, box b, number factor) { model(t, b, t, b, NULL, b, factor, times); }

static void sums(scene* s) {
  number const alpha = value_of(s->of, 32, 0, 5), beta = value_of(s->of, 32, 1, 5);
  DoubleComplex first, other;
  store(s->of, &first, 0, alpha);
  store(s->of, &other, 0, beta);
  box const all = whole(2, extents);
  table a = planned((int)(s->of - kinds), 2, extents, 1), b = a;
  b.model = allocate(rows * columns * sizeof(number));
  memcpy(b.model, s->b.model, rows * columns * sizeof(number));
  scale_model(&a, all, alpha);
  scale_model(&b, all, beta);
  GA_Add(&first, s->a.handle, &other, s->b.handle, s->c.handle);
  model(&s->c, all, &a, all, &b, all, (number){0, 0}, plus);
  expect_table("GA_Add", &s->c);
  NGA_Add_patch(&first, s->a.handle, s->at_a.lo, s->at_a.hi, &other, s->b.handle, s->at_b.lo, s->at_b.hi, s->c.handle,
                s->at_c.lo, s->at_c.hi);
  model(&s->c, s->at_c, &a, s->at_a, &b, s->at_b, (number){0, 0}, plus);
  expect_table("NGA_Add_patch", &s->c);
  free(a.model);
  free(b.model);
}

static void copies(scene* s) {
  NGA_Copy_patch('n', s->a.handle, s->at_a.lo, s->at_a.hi, s->c.handle, s->at_c.lo, s->at_c.hi);
  model(&s->c, s->at_c, &s->a, s->at_a, &s->a, s->at_a, (number){0, 0}, second);
  expect_table("NGA_Copy_patch", &s->c);

  box from = {.lo = {1, 2}, .hi = {7, 5}}, to = {.lo = {8, 1}, .hi = {11, 7}};
  NGA_Copy_patch('t', s->a.handle, from.lo, from.hi, s->c.handle, to.lo, to.hi);
  int index[2] = {from.lo[0], from.lo[1]};
  do {
    int const turned[2] = {to.lo[0] + index[1] - from.lo[1], to.lo[1] + index[0] - from.lo[0]};
    s->c.model[place(2, extents, turned)] = s->a.model[place(2, extents, index)];
  } while (advance(2, from, index));
  expect_table("NGA_Copy_patch, transposed", &s->c);
}

// --- Dot products and searches -----------------------------------------------------------------------------------

static number dot_of(scene const* s, int patch) {
  int const a = s->a.handle, b = s->b.handle;
  box p = s->at_a, q = s->at_b;
#define DOT(f, patched) (patch ? patched(a, 'n', p.lo, p.hi, b, 'n', q.lo, q.hi) : f(a, b))
  switch (s->of - kinds) {
    case kind_int:
      return (number){DOT(GA_Idot, NGA_Idot_patch), 0};
    case kind_long:
      return (number){(double)DOT(GA_Ldot, NGA_Ldot_patch), 0};
    case kind_float:
      return (number){DOT(GA_Fdot, NGA_Fdot_patch), 0};
    case kind_double:
      return (number){DOT(GA_Ddot, NGA_Ddot_patch), 0};
    case kind_scomplex: {
      SingleComplex const z = DOT(GA_Cdot, NGA_Cdot_patch);
      return (number){z.real, z.imag};
    }
    default: {
      DoubleComplex const z = DOT(GA_Zdot, NGA_Zdot_patch);
      return (number){z.real, z.imag};
    }
  }
#undef DOT
}

static void dots(scene const* s) {
  for (int patch = 0; patch < 2; ++patch) {
    box const all = whole(2, extents), a = patch ? s->at_a : all, b = patch ? s->at_b : all;
    box const steps = {.hi = {a.hi[0] - a.lo[0], a.hi[1] - a.lo[1]}};
    number expected = {0, 0};
    int step[2] = {0, 0};
    do {
      expected = sum(expected, product(after(&s->a, a, step), after(&s->b, b, step)));
    } while (advance(2, steps, step));
    number const got = dot_of(s, patch);
    NEAR(got.re, expected.re, 0, "a dot product of %s, patch %d", s->of->name, patch);
    NEAR(got.im, expected.im, 0, "a dot product of %s, patch %d, imaginary", s->of->name, patch);
  }
}

// Its index is that of an element with the value, and none is beyond it.
static void extremes(scene const* s) {
  for (int least = 0; least < 2 && !s->of->complex; ++least) {
    DoubleComplex value;
    int index[2] = {-1, -1};
    NGA_Select_elem(s->a.handle, text_of(least ? "min" : "max"), &value, index);
    double const got = load(s->of, &value, 0).re;
    EQUAL(index[0] >= 0 && index[0] < rows && index[1] >= 0 && index[1] < columns, 1, "an index from NGA_Select_elem");
    NEAR(s->a.model[place(2, extents, index)].re, got, 0, "NGA_Select_elem, %s", least ? "min" : "max");
    for (size_t at = 0; at < rows * columns; ++at) {
      EQUAL((s->a.model[at].re - got) * (least ? 1 : -1) >= 0, 1, "an element beyond NGA_Select_elem's");
    }
  }
}

static void all_of(int of) {
  scene s = make_scene(of);
  pairs(&s);
  of_one(&s);
  sums(&s);
  copies(&s);
  with_constants(&s);
  dots(&s);
  extremes(&s);
  end_scene(&s);
}

int main(int argc, char** argv) {
  begin(argc, argv, "armci.ga.elements");
  int const ranks = GA_Nnodes();
  for (int of = 0; of < kind_count; ++of) {
    if (ranks < 3 || of == ranks % kind_count) {  // with few cores, synchronisation takes long
      all_of(of);
    }
  }
  return finish("armci.ga.elements");
}
