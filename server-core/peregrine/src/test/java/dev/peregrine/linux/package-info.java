/** Tests of the system calls. */
@NullMarked
package dev.peregrine.linux;

import org.jspecify.annotations.NullMarked;
