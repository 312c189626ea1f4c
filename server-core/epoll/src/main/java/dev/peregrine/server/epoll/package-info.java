/** The transport by Linux system calls, for a server that is built with it. */
@NullMarked
package dev.peregrine.server.epoll;

import org.jspecify.annotations.NullMarked;
