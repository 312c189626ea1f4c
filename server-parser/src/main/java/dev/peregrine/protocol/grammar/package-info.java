/**
 * One character table per ABNF rule, the reference for all scanners, and tests of eight bytes at a
 * time.
 */
@NullMarked
package dev.peregrine.protocol.grammar;

import org.jspecify.annotations.NullMarked;
