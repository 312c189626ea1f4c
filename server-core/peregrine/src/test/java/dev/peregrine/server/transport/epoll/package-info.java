/** Tests of the parts of the epoll transport. */
@NullMarked
package dev.peregrine.server.transport.epoll;

import org.jspecify.annotations.NullMarked;
