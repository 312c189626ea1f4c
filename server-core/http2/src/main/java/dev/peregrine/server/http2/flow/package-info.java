/** Windows, urgencies and the budget of floods, each alone. No streams. */
@NullMarked
package dev.peregrine.server.http2.flow;

import org.jspecify.annotations.NullMarked;
