/** The values of a head that a server interprets: hosts, lists, connection options, codings. */
@NullMarked
package dev.peregrine.parser.value;

import org.jspecify.annotations.NullMarked;
