/** Peregrine beside other servers, end to end: {@code ./mvnw -Pcompare}. */
@NullMarked
package dev.peregrine.bench.compare;

import org.jspecify.annotations.NullMarked;
