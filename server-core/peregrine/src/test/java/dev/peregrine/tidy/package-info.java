/** The house rules that a machine can check. */
@NullMarked
package dev.peregrine.tidy;

import org.jspecify.annotations.NullMarked;
