/** The adapter to gRPC, tested with the clients of grpc-java and by hand. */
@NullMarked
package dev.peregrine.grpc;

import org.jspecify.annotations.NullMarked;
