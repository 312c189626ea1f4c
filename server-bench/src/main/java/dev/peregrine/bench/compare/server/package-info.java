/** The compared servers; each answers the same requests in a separate JVM. */
@NullMarked
package dev.peregrine.bench.compare.server;

import org.jspecify.annotations.NullMarked;
