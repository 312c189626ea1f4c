/** The servers that are compared, each answering the same requests in a JVM of its own. */
@NullMarked
package dev.peregrine.bench.compare.server;

import org.jspecify.annotations.NullMarked;
