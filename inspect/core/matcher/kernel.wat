;; Searches a chunk of bytes. `find` returns the positions at which one of many windows of four bytes may begin:
;;
;; 1. Sixteen positions at a time: each of three neighbouring bytes is split into two nibbles, and each nibble selects
;;    the set of buckets that have a window with it. A position survives if a bucket is in all six sets. There are
;;    sixteen buckets, so each set is two bytes, and each table exists twice: `a` for buckets 0 to 7, `b` for 8 to 15.
;; 2. Each survivor: the four bytes, without ASCII case, are hashed into a bitmap of all windows.
;;
;; A bit for each position is kept in between, in groups of 128 positions, which are eight blocks. A group has a byte for
;; each place in a block, and in it a bit for each block, the first one highest: so a block takes three instructions,
;; where `i8x16.bitmask` takes many on ARM.
;;
;; `classify` tells which classes of bytes occur. Each byte selects its classes by its two nibbles.
;;
;; Memory, as in instance.ts:
;;       0  twelve tables of 16 bytes for `find`: for each byte low a, low b, high a, high b
;;     192  two tables of 16 bytes for `classify`: low, high; then the first classes, 16 times
;;     256  bitmap of 2^17 bits
;;   16640  the chunk, and 64 bytes after it that are not searched
;;   49472  the positions found, two bytes each, in no order
;;  115072  a bit for each position that survived
(module
  (memory (export "memory") 3)

  (func (export "find") (param $length i32) (result (;count;) i32)
    (local $at i32) (local $count i32) (local $base i32) (local $position i32) (local $hash i32) (local $bits i64) (local $bit i32)
    (local $first v128) (local $second v128) (local $third v128) (local $nibble v128) (local $low v128) (local $one v128)
    (local $buckets_a v128) (local $buckets_b v128) (local $survived v128)
    (local $first_low_a v128) (local $first_low_b v128) (local $first_high_a v128) (local $first_high_b v128)
    (local $second_low_a v128) (local $second_low_b v128) (local $second_high_a v128) (local $second_high_b v128)
    (local $third_low_a v128) (local $third_low_b v128) (local $third_high_a v128) (local $third_high_b v128)

    (local.set $nibble (v128.const i8x16 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15))
    (local.set $one (v128.const i8x16 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1))
    (local.set $first_low_a (v128.load offset=0 (i32.const 0)))
    (local.set $first_low_b (v128.load offset=16 (i32.const 0)))
    (local.set $first_high_a (v128.load offset=32 (i32.const 0)))
    (local.set $first_high_b (v128.load offset=48 (i32.const 0)))
    (local.set $second_low_a (v128.load offset=64 (i32.const 0)))
    (local.set $second_low_b (v128.load offset=80 (i32.const 0)))
    (local.set $second_high_a (v128.load offset=96 (i32.const 0)))
    (local.set $second_high_b (v128.load offset=112 (i32.const 0)))
    (local.set $third_low_a (v128.load offset=128 (i32.const 0)))
    (local.set $third_low_b (v128.load offset=144 (i32.const 0)))
    (local.set $third_high_a (v128.load offset=160 (i32.const 0)))
    (local.set $third_high_b (v128.load offset=176 (i32.const 0)))

    (block $compared
      (loop $next
        (br_if $compared (i32.ge_u (local.get $at) (local.get $length)))
        (loop $blocks
          (local.set $first (v128.load offset=16640 (local.get $at)))
          (local.set $second (v128.load offset=16641 (local.get $at)))
          (local.set $third (v128.load offset=16642 (local.get $at)))

          ;; The buckets that allow the first byte.
          (local.set $low (v128.and (local.get $first) (local.get $nibble)))
          (local.set $first (i8x16.shr_u (local.get $first) (i32.const 4)))
          (local.set $buckets_a
            (v128.and
              (i8x16.relaxed_swizzle (local.get $first_low_a) (local.get $low))
              (i8x16.relaxed_swizzle (local.get $first_high_a) (local.get $first))))
          (local.set $buckets_b
            (v128.and
              (i8x16.relaxed_swizzle (local.get $first_low_b) (local.get $low))
              (i8x16.relaxed_swizzle (local.get $first_high_b) (local.get $first))))

          ;; Of those, the buckets that allow the second byte.
          (local.set $low (v128.and (local.get $second) (local.get $nibble)))
          (local.set $second (i8x16.shr_u (local.get $second) (i32.const 4)))
          (local.set $buckets_a
            (v128.and
              (local.get $buckets_a)
              (v128.and
                (i8x16.relaxed_swizzle (local.get $second_low_a) (local.get $low))
                (i8x16.relaxed_swizzle (local.get $second_high_a) (local.get $second)))))
          (local.set $buckets_b
            (v128.and
              (local.get $buckets_b)
              (v128.and
                (i8x16.relaxed_swizzle (local.get $second_low_b) (local.get $low))
                (i8x16.relaxed_swizzle (local.get $second_high_b) (local.get $second)))))

          ;; Of those, the buckets that allow the third byte.
          (local.set $low (v128.and (local.get $third) (local.get $nibble)))
          (local.set $third (i8x16.shr_u (local.get $third) (i32.const 4)))
          (local.set $buckets_a
            (v128.and
              (local.get $buckets_a)
              (v128.and
                (i8x16.relaxed_swizzle (local.get $third_low_a) (local.get $low))
                (i8x16.relaxed_swizzle (local.get $third_high_a) (local.get $third)))))
          (local.set $buckets_b
            (v128.and
              (local.get $buckets_b)
              (v128.and
                (i8x16.relaxed_swizzle (local.get $third_low_b) (local.get $low))
                (i8x16.relaxed_swizzle (local.get $third_high_b) (local.get $third)))))

          ;; Below the bits of the blocks before.
          (local.set $survived
            (v128.or
              (i8x16.add (local.get $survived) (local.get $survived))
              (i8x16.min_u (v128.or (local.get $buckets_a) (local.get $buckets_b)) (local.get $one))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $blocks (i32.and (local.get $at) (i32.const 127))))
        ;; `at` is the end of the group.
        (v128.store offset=115056 (i32.shr_u (local.get $at) (i32.const 3)) (local.get $survived))
        (br $next)))

    ;; All of the last group: its two halves have places of every block.
    (local.set $length (local.get $at))
    (local.set $at (i32.const 0))
    (block $checked
      (loop $next
        (br_if $checked (i32.ge_u (local.get $at) (local.get $length)))
        (local.set $bits (i64.load offset=115072 (i32.shr_u (local.get $at) (i32.const 3))))
        ;; Of the last place in this half of the first block.
        (local.set $base
          (i32.add
            (i32.and (local.get $at) (i32.const -128))
            (i32.add (i32.shr_u (i32.and (local.get $at) (i32.const 64)) (i32.const 3)) (i32.const 7))))

        (block $none
          (br_if $none (i64.eqz (local.get $bits)))
          (loop $survivors
            ;; From the highest bit on: `i64.ctz` calls a function on ARM.
            (local.set $bit (i32.wrap_i64 (i64.clz (local.get $bits))))
            (local.set $position
              (i32.sub
                (i32.add (local.get $base) (i32.shl (i32.and (local.get $bit) (i32.const 7)) (i32.const 4)))
                (i32.shr_u (local.get $bit) (i32.const 3))))
            (local.set $hash
              (i32.shr_u
                (i32.mul
                  (i32.or (i32.load offset=16640 (local.get $position)) (i32.const 0x20202020))
                  (i32.const 0x9e3779b1))
                (i32.const 15)))
            ;; In any case, because a branch would often be mispredicted; counted only if the bit of the hash is set.
            (i32.store16 offset=49472 (i32.shl (local.get $count) (i32.const 1)) (local.get $position))
            (local.set $count
              (i32.add
                (local.get $count)
                (i32.and
                  (i32.shr_u
                    (i32.load8_u offset=256 (i32.shr_u (local.get $hash) (i32.const 3)))
                    (i32.and (local.get $hash) (i32.const 7)))
                  (i32.const 1))))
            (local.set $bits
              (i64.xor
                (local.get $bits)
                (i64.shr_u (i64.const 0x8000000000000000) (i64.extend_i32_u (local.get $bit)))))
            (br_if $survivors (i64.ne (local.get $bits) (i64.const 0)))))

        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br $next)))
    (local.get $count))

  ;; For pairs of blocks of 16 bytes. In the result:
  ;;   bits 0 to 7  classes that occur
  ;;   bit 8        a byte is in none of the first classes
  ;;   bit 9        the first block of a pair consists of bytes in the first classes
  (func (export "classify") (param $length i32) (result i32)
    (local $at i32) (local $long i32)
    (local $even v128) (local $odd v128) (local $seen v128) (local $least v128)
    (local $low v128) (local $high v128) (local $first v128) (local $nibble v128) (local $folded i64)
    (local.set $nibble (v128.const i8x16 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15))
    (local.set $low (v128.load offset=192 (i32.const 0)))
    (local.set $high (v128.load offset=208 (i32.const 0)))
    (local.set $first (v128.load offset=224 (i32.const 0)))
    (local.set $least (local.get $first))

    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $length)))
        (local.set $even (v128.load offset=16640 (local.get $at)))
        (local.set $odd (v128.load offset=16656 (local.get $at)))
        (local.set $even
          (v128.and
            (i8x16.relaxed_swizzle (local.get $low) (v128.and (local.get $even) (local.get $nibble)))
            (i8x16.relaxed_swizzle (local.get $high) (i8x16.shr_u (local.get $even) (i32.const 4)))))
        (local.set $odd
          (v128.and
            (i8x16.relaxed_swizzle (local.get $low) (v128.and (local.get $odd) (local.get $nibble)))
            (i8x16.relaxed_swizzle (local.get $high) (i8x16.shr_u (local.get $odd) (i32.const 4)))))
        (local.set $seen (v128.or (local.get $seen) (v128.or (local.get $even) (local.get $odd))))
        (local.set $even (v128.and (local.get $even) (local.get $first)))
        (local.set $odd (v128.and (local.get $odd) (local.get $first)))
        (local.set $least (i8x16.min_u (local.get $least) (i8x16.min_u (local.get $even) (local.get $odd))))
        (local.set $long (i32.or (local.get $long) (i8x16.all_true (local.get $even))))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (br $next)))

    (local.set $folded (i64.or (i64x2.extract_lane 0 (local.get $seen)) (i64x2.extract_lane 1 (local.get $seen))))
    (local.set $folded (i64.or (local.get $folded) (i64.shr_u (local.get $folded) (i64.const 32))))
    (local.set $folded (i64.or (local.get $folded) (i64.shr_u (local.get $folded) (i64.const 16))))
    (local.set $folded (i64.or (local.get $folded) (i64.shr_u (local.get $folded) (i64.const 8))))
    (i32.or
      (i32.and (i32.wrap_i64 (local.get $folded)) (i32.const 0xff))
      (i32.or
        (i32.shl (i32.eqz (i8x16.all_true (local.get $least))) (i32.const 8))
        (i32.shl (local.get $long) (i32.const 9))))))
