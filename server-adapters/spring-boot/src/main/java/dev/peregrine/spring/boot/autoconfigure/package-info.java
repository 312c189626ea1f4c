/** The configuration that Spring Boot adds by itself. */
@NullMarked
package dev.peregrine.spring.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;
