/**
 * Netty's buffers as content of requests and responses, its allocator as the memory of event loops,
 * and its futures on them.
 */
@NullMarked
package dev.peregrine.netty;

import org.jspecify.annotations.NullMarked;
