/** What the tests of the server have in common: clients, servers under watch, recorded logs. */
@NullMarked
package dev.peregrine.testing;

import org.jspecify.annotations.NullMarked;
