/** Reactive {@code HttpHandler}s of Spring Framework as handlers. */
@NullMarked
package dev.peregrine.spring;

import org.jspecify.annotations.NullMarked;
