/** Applications of Spring Boot on Peregrine, with Reactor Netty on the class path too. */
@NullMarked
package dev.peregrine.spring.boot;

import org.jspecify.annotations.NullMarked;
