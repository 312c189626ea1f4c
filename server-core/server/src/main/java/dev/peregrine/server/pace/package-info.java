/** How fast a client must send and take bytes. */
@NullMarked
package dev.peregrine.server.pace;

import org.jspecify.annotations.NullMarked;
