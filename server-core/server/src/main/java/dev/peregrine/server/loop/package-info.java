/** Event loops: one thread, one poller, one task queue, one clock. Sockets and tasks, no HTTP. */
@NullMarked
package dev.peregrine.server.loop;

import org.jspecify.annotations.NullMarked;
