/** Tests of the parts of the epoll transport. */
@NullMarked
package dev.peregrine.server.loop.epoll;

import org.jspecify.annotations.NullMarked;
