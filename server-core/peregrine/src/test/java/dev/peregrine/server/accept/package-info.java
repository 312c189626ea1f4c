/** Tests of accepting. */
@NullMarked
package dev.peregrine.server.accept;

import org.jspecify.annotations.NullMarked;
