/* Allocations by where they are made. The stack that calls one is hashed: its number does not depend on how
   threads take turns, as the allocation's own number does. Its highest bit tells whether the dynamic linker
   is on the stack.

   FAULT_STACKS is a file that gets the 8 bytes of each stack's hash, once or more; FAULT_STACK is the hash,
   a decimal number, of the one whose allocations are counted and fail. */

#pragma once

/* `file` is the open one of FAULT_STACKS; -1: none. */
void StartStacks(int file);

/* Whether the allocation counts: any where no stack is chosen, else that of the chosen one, and all once one
   has counted. */
int StackCounts(long counted);
