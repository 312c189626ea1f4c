/** Tests of what the epoll transport is made of. */
@NullMarked
package dev.peregrine.server.loop.epoll;

import org.jspecify.annotations.NullMarked;
