/** The parts that tests of the server share: clients, watched servers, recorded logs. */
@NullMarked
package dev.peregrine.testing;

import org.jspecify.annotations.NullMarked;
