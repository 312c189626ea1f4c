/** One character table per ABNF rule, the single truth, and bytes tested eight at a time. */
@NullMarked
package dev.peregrine.protocol.grammar;

import org.jspecify.annotations.NullMarked;
