! SPDX-License-Identifier: BSD-3-Clause
! Copyright 2026 The Sheaf authors
! Global Arrays from Fortran: patches, sums into patches, a shared counter, a product, sums over processes.
program fortran
  use mpi
  implicit none
#include "mafdecls.fh"
#include "global.fh"
  integer, parameter :: rows = 11, columns = 7
  integer(kind=4) :: problem
  integer :: a, b, c, counter, me, all, i, j, next
  double precision :: part(rows, columns), got(rows, columns), factor, total

  call mpi_init(problem)
  call ga_initialize()
  if (.not. ma_init(MT_DBL, 100000, 100000)) call ga_error('ma_init', 1)
  me = ga_nodeid()
  all = ga_nnodes()

  if (.not. ga_create(MT_DBL, rows, columns, 'a', 1, 1, a)) call ga_error('ga_create a', 1)
  if (.not. ga_create(MT_DBL, columns, rows, 'b', 1, 1, b)) call ga_error('ga_create b', 1)
  if (.not. ga_create(MT_DBL, rows, rows, 'c', 1, 1, c)) call ga_error('ga_create c', 1)
  if (.not. ga_create(MT_INT, 1, 1, 'counter', 1, 1, counter)) call ga_error('ga_create counter', 1)
  call ga_zero(counter)
  call ga_zero(a)

  do j = 1, columns
    do i = 1, rows
      part(i, j) = value(i, j)
    end do
  end do
  factor = 2
  call ga_sync()
  call ga_acc(a, 1, rows, 1, columns, part, rows, factor)
  call ga_sync()
  call ga_get(a, 3, 8, 2, 5, got(3, 2), rows)
  do j = 2, 5
    do i = 3, 8
      call near(got(i, j), 2 * all * value(i, j), 'a sum in a patch')
    end do
  end do

  do i = 1, 10
    next = ga_read_inc(counter, 1, 1, 3)
    if (mod(next, 3) /= 0) call ga_error('a counter', next)
  end do
  call ga_sync()
  if (ga_read_inc(counter, 1, 1, 0) /= 30 * all) call ga_error('the end of a counter', 1)
  call ga_sync()

  if (me == 0) call ga_put(a, 1, rows, 1, columns, part, rows)
  call ga_sync()
  call ga_transpose(a, b)
  call ga_dgemm('n', 'n', rows, rows, columns, 1.0d0, a, b, 0.0d0, c)
  call ga_get(c, 4, 4, 6, 6, got, 1)
  total = 0
  do j = 1, columns
    total = total + value(4, j) * value(6, j)
  end do
  call near(got(1, 1), total, 'a product')

  total = me + 1
  call ga_dgop(1, total, 1, '+')
  call near(total, all * (all + 1) / 2.0d0, 'a sum over processes')

  if (.not. ga_destroy(a)) call ga_error('ga_destroy', 1)
  call ga_sync()
  if (me == 0) print '(a,i0,a)', 'armci.ga.fortran: all checks passed with ', all, ' processes'
  call ga_terminate()
  call mpi_finalize(problem)

contains
  pure double precision function value(row, column)
    integer, intent(in) :: row, column
    value = mod(row * 5 + column * 3, 13) - 6
  end function value

  subroutine near(is, should, what)
    double precision, intent(in) :: is, should
    character(len=*), intent(in) :: what
    if (abs(is - should) <= 1d-9) return
    print *, what, ': got ', is, ', expected ', should
    call ga_error(what, 1)
  end subroutine near
end program fortran
