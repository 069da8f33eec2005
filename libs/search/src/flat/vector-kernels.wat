;; Products of one query with many vectors, in one linear memory. All sizes are in bytes unless said.
(module
  (memory (export "memory") 4)

  ;; scores[i] = query · the row at rows[i], as i32. The query is i16, the rows are i8; size: numbers in a row, a multiple of 16.
  (func (export "scoreRows")
    (param $query i32) (param $rows i32) (param $scores i32) (param $count i32) (param $size i32)
    (local $row i32) (local $end i32) (local $at i32) (local $sum v128) (local $part v128)
    (if (i32.eqz (local.get $count)) (then (return)))
    (loop $next-row
      (local.set $sum (v128.const i32x4 0 0 0 0))
      (local.set $at (local.get $query))
      (local.set $row (i32.load (local.get $rows)))
      (local.set $end (i32.add (local.get $row) (local.get $size)))
      (loop $next-part
        (local.set $part (v128.load (local.get $row)))
        (local.set $sum
          (i32x4.add
            (local.get $sum)
            (i32x4.add
              (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $part)) (v128.load (local.get $at)))
              (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $part)) (v128.load offset=16 (local.get $at))))))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (br_if $next-part (i32.lt_u (local.get $row) (local.get $end))))
      (i32.store
        (local.get $scores)
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
          (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
      (local.set $scores (i32.add (local.get $scores) (i32.const 4)))
      (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $next-row (local.get $count))))

  ;; The signs of a row: one bit per number, 1 where it is below 0. size: as above, a multiple of 128.
  (func (export "sketchRow") (param $row i32) (param $sketch i32) (param $size i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $row) (local.get $size)))
    (loop $next-part
      (i32.store16 (local.get $sketch) (i8x16.bitmask (v128.load (local.get $row))))
      (local.set $row (i32.add (local.get $row) (i32.const 16)))
      (local.set $sketch (i32.add (local.get $sketch) (i32.const 2)))
      (br_if $next-part (i32.lt_u (local.get $row) (local.get $end)))))

  ;; distances[i] = number of bits in which sketch i differs from the query's, as u16; tally[d], an i32, grows by one for each
  ;; sketch at distance d. Where owners[i], a u32, is 0 or the mask has no 1 at it: 0xffff, and no tally. mask 0: all pass.
  ;; size: bytes in a sketch, a multiple of 16. Words of 64 bits: counting their bits is one instruction on most machines.
  (func (export "scanSketches")
    (param $query i32) (param $sketches i32) (param $owners i32) (param $mask i32) (param $mask-size i32)
    (param $distances i32) (param $tally i32) (param $count i32) (param $size i32)
    (local $owner i32) (local $at i32) (local $word i32) (local $word-end i32) (local $end i32)
    (local $sum i64) (local $distance i32) (local $slot i32)
    (if (i32.eqz (local.get $count)) (then (return)))
    (local.set $end (i32.add (local.get $sketches) (i32.mul (local.get $count) (local.get $size))))
    (loop $next
      (local.set $distance (i32.const 0xffff))
      (block $done
        (br_if $done (i32.eqz (local.tee $owner (i32.load (local.get $owners)))))
        (if (local.get $mask)
          (then
            (br_if $done (i32.ge_u (local.get $owner) (local.get $mask-size)))
            (br_if $done (i32.eqz (i32.load8_u (i32.add (local.get $mask) (local.get $owner)))))))
        (local.set $sum (i64.const 0))
        (local.set $at (local.get $query))
        (local.set $word (local.get $sketches))
        (local.set $word-end (i32.add (local.get $sketches) (local.get $size)))
        (loop $next-words
          (local.set $sum
            (i64.add
              (local.get $sum)
              (i64.add
                (i64.popcnt (i64.xor (i64.load (local.get $word)) (i64.load (local.get $at))))
                (i64.popcnt (i64.xor (i64.load offset=8 (local.get $word)) (i64.load offset=8 (local.get $at)))))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (local.set $word (i32.add (local.get $word) (i32.const 16)))
          (br_if $next-words (i32.lt_u (local.get $word) (local.get $word-end))))
        (local.set $distance (i32.wrap_i64 (local.get $sum)))
        (local.set $slot (i32.add (local.get $tally) (i32.shl (local.get $distance) (i32.const 2))))
        (i32.store (local.get $slot) (i32.add (i32.load (local.get $slot)) (i32.const 1))))
      (i32.store16 (local.get $distances) (local.get $distance))
      (local.set $sketches (i32.add (local.get $sketches) (local.get $size)))
      (local.set $owners (i32.add (local.get $owners) (i32.const 4)))
      (local.set $distances (i32.add (local.get $distances) (i32.const 2)))
      (br_if $next (i32.lt_u (local.get $sketches) (local.get $end)))))

  ;; Of each sketch whose distance is at most last: its place to found, as u32, and to scores, as i32, the sum of the query's
  ;; numbers, each taken away where the sketch has a 1 (the others change nothing in the order). The first skip[0] at the last
  ;; distance are passed over, and counted off there. Returns how many were found. planes: for each 64 numbers of the query the
  ;; four bits of all of them, in four words of 64 bits, lowest first; the highest bit is the sign.
  (func (export "weighSketches")
    (param $planes i32) (param $sketches i32) (param $distances i32) (param $count i32) (param $size i32)
    (param $last i32) (param $skip i32) (param $found i32) (param $scores i32) (result i32)
    (local $index i32) (local $distance i32) (local $left i32) (local $number i32)
    (local $word i32) (local $end i32) (local $at i32) (local $bits i64) (local $sum i64)
    (local.set $left (i32.load (local.get $skip)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $index) (local.get $count)))
        (block $no-eight
          (br_if $no-eight (i32.and (local.get $index) (i32.const 7)))
          (br_if $no-eight
            (i32.eqz
              (i16x8.all_true
                (i16x8.gt_u
                  (v128.load (i32.add (local.get $distances) (i32.shl (local.get $index) (i32.const 1))))
                  (i16x8.splat (local.get $last))))))
          (local.set $index (i32.add (local.get $index) (i32.const 8)))
          (br $next))
        (block $passed
          (local.set $distance (i32.load16_u (i32.add (local.get $distances) (i32.shl (local.get $index) (i32.const 1)))))
          (br_if $passed (i32.gt_u (local.get $distance) (local.get $last)))
          (if (i32.and (i32.eq (local.get $distance) (local.get $last)) (i32.ne (local.get $left) (i32.const 0)))
            (then
              (local.set $left (i32.sub (local.get $left) (i32.const 1)))
              (br $passed)))
          (local.set $sum (i64.const 0))
          (local.set $at (local.get $planes))
          (local.set $word (i32.add (local.get $sketches) (i32.mul (local.get $index) (local.get $size))))
          (local.set $end (i32.add (local.get $word) (local.get $size)))
          (loop $next-word
            (local.set $bits (i64.load (local.get $word)))
            (local.set $sum
              (i64.add
                (local.get $sum)
                (i64.add
                  (i64.add
                    (i64.popcnt (i64.and (local.get $bits) (i64.load (local.get $at))))
                    (i64.shl (i64.popcnt (i64.and (local.get $bits) (i64.load offset=8 (local.get $at)))) (i64.const 1)))
                  (i64.sub
                    (i64.shl (i64.popcnt (i64.and (local.get $bits) (i64.load offset=16 (local.get $at)))) (i64.const 2))
                    (i64.shl (i64.popcnt (i64.and (local.get $bits) (i64.load offset=24 (local.get $at)))) (i64.const 3))))))
            (local.set $at (i32.add (local.get $at) (i32.const 32)))
            (local.set $word (i32.add (local.get $word) (i32.const 8)))
            (br_if $next-word (i32.lt_u (local.get $word) (local.get $end))))
          (i32.store (i32.add (local.get $found) (i32.shl (local.get $number) (i32.const 2))) (local.get $index))
          (i32.store
            (i32.add (local.get $scores) (i32.shl (local.get $number) (i32.const 2)))
            (i32.wrap_i64 (i64.sub (i64.const 0) (local.get $sum))))
          (local.set $number (i32.add (local.get $number) (i32.const 1))))
        (local.set $index (i32.add (local.get $index) (i32.const 1)))
        (br $next)))
    (i32.store (local.get $skip) (local.get $left))
    (local.get $number))
)
