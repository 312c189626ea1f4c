/** Peregrine as the server of a reactive application of Spring Boot. */
@NullMarked
package dev.peregrine.spring.boot;

import org.jspecify.annotations.NullMarked;
