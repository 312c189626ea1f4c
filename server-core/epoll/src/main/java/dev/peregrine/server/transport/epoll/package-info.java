/** Socket I/O by Linux system calls through {@code java.lang.foreign}: epoll, edge-triggered. */
@NullMarked
package dev.peregrine.server.transport.epoll;

import org.jspecify.annotations.NullMarked;
