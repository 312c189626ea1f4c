/** Services of {@code io.grpc} as a handler, and as an {@code io.grpc.Server}. */
@NullMarked
package dev.peregrine.grpc;

import org.jspecify.annotations.NullMarked;
